"""Fetches pages over HTTP, bounded in size and time, and never from the operator's own network."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver

from core.errors import LeadsElsewhere, LibraryError, ServiceDown
from core.ingestion.readers.site.addresses import is_ip_literal, is_public, same_site, tidied

AGENT = "FootnoteBot"
USER_AGENT = f"{AGENT}/1.0 (reads books for study groups)"
MAX_REDIRECTS = 5


@dataclass(frozen=True, slots=True)
class SiteLimits:
    """How much of a site is read, and how politely."""

    pages: int = 1_000
    page_bytes: int = 16_000_000
    file_bytes: int = 200_000_000
    """For a book that is a single file at an address."""
    total_bytes: int = 500_000_000
    timeout_seconds: float = 30.0
    delay_seconds: float = 0.5
    """Between two pages; a site may ask for more in its robots.txt, up to *longest_delay_seconds*."""
    longest_delay_seconds: float = 10.0


@dataclass(frozen=True, slots=True)
class Fetched:
    """What an address gave."""

    address: str
    """Where it was in the end, after redirects."""
    status: int
    kind: str
    """The content type, without parameters."""
    body: bytes

    @property
    def is_ok(self) -> bool:
        return self.status == 200

    @property
    def is_gone(self) -> bool:
        return self.status in {404, 410}

    @property
    def is_momentary(self) -> bool:
        """Whether the answer says nothing but that we should ask again later."""
        return self.status >= 500 or self.status in {408, 425, 429}


class Fetcher:
    """Fetches one site's pages. *allows_private* lets it into the operator's own network."""

    def __init__(self, session: aiohttp.ClientSession, *, limits: SiteLimits, allows_private: bool) -> None:
        self._session = session
        self._limits = limits
        self._allows_private = allows_private

    async def fetch(self, address: str, *, most_bytes: int, may_move: bool = False) -> Fetched:
        """What *address* gives, redirects followed. *may_move* lets it move to another site, as a short link does.

        Raises:
            LibraryError: it leads into a private network, to another site, round in a circle, or is too large.
            ServiceDown: the site cannot be reached.
        """
        for _ in range(MAX_REDIRECTS + 1):
            self._refuse_private(address)
            with_redirect = await self._fetch_once(address, most_bytes)
            if isinstance(with_redirect, Fetched):
                return with_redirect
            if not may_move and not same_site(with_redirect, address):
                raise LeadsElsewhere(f"{address} leads to another site, {urlsplit(with_redirect).hostname}.")
            address = with_redirect
        raise LibraryError(f"{address} redirects round in a circle.")

    async def _fetch_once(self, address: str, most_bytes: int) -> Fetched | str:
        """What the address gives, or where it redirects to."""
        try:
            async with self._session.get(address, allow_redirects=False) as response:
                moved = response.headers.get("Location")
                if response.status in {301, 302, 303, 307, 308} and moved:
                    target = tidied(moved, base=address)
                    if target is None:
                        raise LibraryError(f"{address} redirects to something that is not a web page.")
                    return target
                body = await _body(response, address, most_bytes)
                return Fetched(address, response.status, response.content_type, body)
        except PrivateAddress as error:
            raise LibraryError(_private(address)) from error
        except TimeoutError as error:
            raise ServiceDown(_name(address), "took too long to answer") from error
        except (aiohttp.ClientError, OSError, ValueError) as error:
            if isinstance(error.__cause__, PrivateAddress) or isinstance(error.__context__, PrivateAddress):
                raise LibraryError(_private(address)) from error
            raise ServiceDown(_name(address), "cannot be reached") from error

    def _refuse_private(self, address: str) -> None:
        host = urlsplit(address).hostname or ""
        if not self._allows_private and is_ip_literal(host) and not is_public(host):
            raise LibraryError(_private(address))


class PrivateAddress(OSError):
    """A name leads into a private network."""


class PublicResolver(AbstractResolver):
    """Resolves names, and refuses those that lead to an address which is not on the open internet.

    The connection is made to the very addresses returned here, so a name cannot change its mind in between.
    """

    def __init__(self) -> None:
        self._inner = ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        found = await self._inner.resolve(host, port, family)
        if not all(is_public(result["host"]) for result in found):
            raise PrivateAddress(f"{host} leads into a private network")
        return found

    async def close(self) -> None:
        await self._inner.close()


@asynccontextmanager
async def open_fetcher(*, limits: SiteLimits, allows_private: bool) -> AsyncIterator[Fetcher]:
    """A fetcher whose connections are closed at the end."""
    resolver: AbstractResolver = ThreadedResolver() if allows_private else PublicResolver()
    timeout = aiohttp.ClientTimeout(total=limits.timeout_seconds)
    connector = aiohttp.TCPConnector(resolver=resolver, limit=2, ttl_dns_cache=60)
    headers = {"User-Agent": USER_AGENT, "Accept": "text/html,application/xhtml+xml,text/*;q=0.8,*/*;q=0.5"}
    async with aiohttp.ClientSession(
        connector=connector, timeout=timeout, headers=headers, cookie_jar=aiohttp.DummyCookieJar(), trust_env=False
    ) as session:
        yield Fetcher(session, limits=limits, allows_private=allows_private)
    # Lets the transports of encrypted connections finish closing.
    await asyncio.sleep(0)


async def _body(response: aiohttp.ClientResponse, address: str, most_bytes: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    async for part in response.content.iter_chunked(64 * 1024):
        size += len(part)
        if size > most_bytes:
            raise LibraryError(f"{address} is larger than {most_bytes // 1_000_000} MB, so it was not read.")
        parts.append(part)
    return b"".join(parts)


def _name(address: str) -> str:
    return urlsplit(address).hostname or address


def _private(address: str) -> str:
    return f"{_name(address)} leads into a private network, so it was not read."

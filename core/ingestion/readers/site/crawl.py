"""Collects the pages of a site: those its sitemap lists, else those its pages link to."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

from core.errors import LeadsElsewhere, LibraryError, ServiceError, UnreadableFile
from core.ingestion.readers.html.page import links
from core.ingestion.readers.site.addresses import folder_of, same_site, tidied
from core.ingestion.readers.site.fetching import Fetched, Fetcher, SiteLimits
from core.ingestion.readers.site.naming import paths_of
from core.ingestion.readers.site.sitemap import Robots, read_sitemap
from core.ingestion.unseen import EVERYTHING, Unseen

MAX_SITEMAPS = 50
PAGE_KINDS = frozenset({"text/html", "application/xhtml+xml", "text/plain", "text/markdown"})
_FILES = """
png jpg jpeg gif svg webp ico css js json xml woff woff2 ttf zip gz tar mp3 mp4 webm pdf epub exe dmg
"""
_NOT_PAGES = tuple(f".{ending}" for ending in _FILES.split())


@dataclass
class Crawl:
    """Walks one site. *refused* says what was left out, page by page, and *unseen* what could not be looked at."""

    fetcher: Fetcher
    limits: SiteLimits
    refused: list[str] = field(default_factory=list)
    unseen: list[Unseen] = field(default_factory=list)
    _robots: Robots = field(default_factory=lambda: Robots(""))
    _bytes: int = 0

    async def pages(self, start: str) -> AsyncIterator[Fetched]:
        """The site's pages in the order it lists or links them, each once.

        Raises:
            LibraryError: the start page may not be read.
            ServiceDown: the site cannot be reached.
        """
        self._robots = await self._read_robots(start)
        listed = await self._listed(start)
        walk = self._walk_links(start) if not listed else self._walk(listed)
        async for page in walk:
            yield page

    async def _walk(self, addresses: list[str]) -> AsyncIterator[Fetched]:
        seen: set[str] = set()
        for address in addresses:
            if len(seen) >= self.limits.pages:
                self.refused.append(f"The site has more than {self.limits.pages} pages; the rest was left out.")
                return
            page = await self._page(address)
            if page is not None and page.address not in seen:
                seen.add(page.address)
                yield page

    async def _walk_links(self, start: str) -> AsyncIterator[Fetched]:
        queue, known = deque([start]), {start}
        inside = folder_of(start)
        given: set[str] = set()
        while queue:
            if len(given) >= self.limits.pages:
                self.refused.append(f"The site has more than {self.limits.pages} pages; the rest was left out.")
                return
            page = await self._page(queue.popleft())
            if page is None or page.address in given:
                continue
            given.add(page.address)
            yield page
            for address in _links(page):
                if address not in known and self._belongs(address, inside):
                    known.add(address)
                    queue.append(address)

    async def _page(self, address: str) -> Fetched | None:
        if not self._robots.allows(address):
            self.refused.append(f"{address} is closed to robots by its site.")
            return None
        delay = max(self.limits.delay_seconds, self._robots.delay_seconds)
        await asyncio.sleep(min(delay, self.limits.longest_delay_seconds))
        try:
            page = await self.fetcher.fetch(address, most_bytes=self.limits.page_bytes)
        except LeadsElsewhere as error:
            self.refused.append(error.message)
            return None
        except LibraryError as error:
            self.unseen.append(Unseen(address, error.message, paths_of(address)))
            return None
        except ServiceError as error:
            self._missed(address, error.message)
            return None
        self._bytes += len(page.body)
        if self._bytes > self.limits.total_bytes:
            raise LibraryError(
                f"The site is larger than {self.limits.total_bytes // 1_000_000} MB; name a part of it."
            )
        if page.is_momentary:
            self._missed(address, f"{address} answered {page.status}.")
        elif page.is_gone:
            self.refused.append(f"{address} answered {page.status}.")
        elif not page.is_ok:
            self.unseen.append(Unseen(address, f"{address} answered {page.status}.", paths_of(address)))
        return page if page.is_ok and page.kind in PAGE_KINDS else None

    def _missed(self, address: str, reason: str) -> None:
        """Something did not come this time; where it would have moved, or led, nobody can tell."""
        self.unseen.append(Unseen(address, reason, EVERYTHING))

    async def _read_robots(self, start: str) -> Robots:
        address = urljoin(start, "/robots.txt")
        try:
            found = await self.fetcher.fetch(address, most_bytes=1_000_000)
        except LibraryError as error:
            # A private address is refused as such; a robots.txt that moved away says nothing.
            if "private network" in error.message:
                raise
            return Robots("")
        if found.is_momentary:
            raise LibraryError(f"{urlsplit(start).hostname} cannot say what robots may read; try again later.")
        return Robots(found.body.decode("utf-8", errors="replace") if found.is_ok else "")

    async def _listed(self, start: str) -> list[str]:
        """The pages that the site's sitemaps list below *start*, in their order."""
        is_sitemap = urlsplit(start).path.endswith((".xml", ".xml.gz"))
        waiting = deque([start] if is_sitemap else [*self._robots.sitemaps, urljoin(start, "/sitemap.xml")])
        inside = urljoin(start, "/") if is_sitemap else folder_of(start)
        found: dict[str, None] = {}
        seen: set[str] = set()
        while waiting and len(seen) < MAX_SITEMAPS:
            address = tidied(waiting.popleft())
            if address is None or address in seen or not same_site(address, start):
                continue
            seen.add(address)
            pages, further = await self._sitemap(address, is_wanted=is_sitemap and address == start)
            waiting.extend(further)
            found.update(dict.fromkeys(page for page in pages if self._belongs(page, inside)))
        return list(found)

    async def _sitemap(self, address: str, *, is_wanted: bool) -> tuple[list[str], list[str]]:
        try:
            fetched = await self.fetcher.fetch(address, most_bytes=self.limits.page_bytes)
            if fetched.is_momentary:
                self._missed(address, f"{address} answered {fetched.status}.")
            return read_sitemap(fetched.body, address=address) if fetched.is_ok else ([], [])
        except LibraryError:
            if is_wanted:
                raise
        except ServiceError as error:
            if is_wanted:
                raise
            self._missed(address, error.message)
        return [], []

    def _belongs(self, address: str, inside: str) -> bool:
        path, folder = urlsplit(address).path, urlsplit(inside).path
        is_page = not path.lower().endswith(_NOT_PAGES)
        return is_page and same_site(address, inside) and path.startswith(folder)


def _links(page: Fetched) -> list[str]:
    if page.kind not in {"text/html", "application/xhtml+xml"}:
        return []
    try:
        found, _ = links(page.body, name=page.address)
    except UnreadableFile:
        return []
    return [address for link in found if (address := tidied(link, base=page.address))]

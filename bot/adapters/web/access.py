"""Who may come in: requests meant for this address, from this site, with the token where one is set."""

import asyncio
import hmac
import secrets
from collections.abc import Mapping
from hashlib import sha256
from urllib.parse import urlsplit

LOOPBACK_NAMES = frozenset({"127.0.0.1", "localhost", "::1"})
PASS_COOKIE = "footnote_pass"  # noqa: S105 - a name, not a secret
OPEN_PATHS = ("/healthz", "/login", "/static/", "/favicon.ico")
"""What needs no token: a host's health check, the door itself and what the door is painted with."""
GUESS_SECONDS = 1.0
"""The pause after a wrong token; nobody who mistypes minds."""
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_OWN_SITE = frozenset({"same-origin", "none"})


class Access:
    """The rules of the door. *token* None means that only this machine may knock."""

    def __init__(self, token: str | None) -> None:
        self._token = token
        self._guessing = asyncio.Lock()

    @property
    def needs_token(self) -> bool:
        return self._token is not None

    def is_token(self, offered: str) -> bool:
        """Whether *offered* is the token, found out in the same time whatever it is."""
        return self._token is not None and secrets.compare_digest(offered.encode(), self._token.encode())

    async def knock(self, offered: str) -> bool:
        """The same for somebody at the door. Wrong tokens wait for each other, so that guessing is hopeless."""
        if self.is_token(offered):
            return True
        async with self._guessing:
            await asyncio.sleep(GUESS_SECONDS)
        return False

    def pass_for_browser(self) -> str:
        """What a browser keeps instead of the token; a new token makes it worthless."""
        return hmac.new((self._token or "").encode(), b"footnote page", sha256).hexdigest()

    def refusal(self, method: str, path: str, headers: Mapping[str, str], pass_cookie: str | None) -> str | None:
        """Why a request must not come in: "host", "origin" or "token"; None where it may."""
        if not self.needs_token and _host_name(headers.get("host", "")) not in LOOPBACK_NAMES:
            # Another site's name that was pointed at this machine (DNS rebinding).
            return "host"
        if not _is_own_site(method, path, headers):
            return "origin"
        if self.needs_token and not path.startswith(OPEN_PATHS) and not self._has_token(headers, pass_cookie):
            return "token"
        return None

    def _has_token(self, headers: Mapping[str, str], pass_cookie: str | None) -> bool:
        scheme, _, offered = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self.is_token(offered.strip()):
            return True
        return pass_cookie is not None and secrets.compare_digest(
            pass_cookie.encode(), self.pass_for_browser().encode()
        )


def _is_own_site(method: str, path: str, headers: Mapping[str, str]) -> bool:
    """Whether a browser sends this from our own page. Tools that are no browsers say nothing and may."""
    site = headers.get("sec-fetch-site")
    if site in _OWN_SITE:
        return True
    is_following_a_link = method in _SAFE_METHODS and not path.startswith("/api/")
    if site is not None:
        return is_following_a_link
    origin = headers.get("origin")
    return origin is None or is_following_a_link or urlsplit(origin).netloc == headers.get("host")


def _host_name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""

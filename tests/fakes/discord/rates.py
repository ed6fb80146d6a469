"""Rate limits by route and channel, told in headers as Discord does."""

import time
import zlib
from collections.abc import Mapping

from tests.fakes.discord.wire import Json

LIMITS = {
    "POST /channels/{channel}/messages": (5, 5.0),
    "PATCH /channels/{channel}/messages/{message}": (5, 5.0),
    "POST /channels/{channel}/messages/{message}/threads": (50, 300.0),
    "PUT /applications/{app}/commands": (5, 20.0),
    "PATCH /webhooks/{app}/{token}/messages/{message}": (5, 5.0),
    "POST /webhooks/{app}/{token}": (5, 5.0),
}
DEFAULT = (50, 1.0)
GLOBAL = (50, 1.0)
"""For all routes together; interactions do not count."""
NOT_GLOBAL = ("/interactions/", "/webhooks/")


class Rates:
    """How many requests of each kind are left."""

    def __init__(self) -> None:
        self.is_on = True
        self.limits = dict(LIMITS)
        self.refused = 0
        """How many requests came although the headers said to wait."""
        self.refused_globally = 0
        """How many came on top of what all routes together allow, which no header tells."""
        self._global = (GLOBAL[0], 0.0)
        self._buckets: dict[str, tuple[int, float]] = {}

    def take(self, method: str, pattern: str, params: Mapping[str, str]) -> tuple[Json | None, dict[str, str]]:
        """What to refuse a request with, if it is too many, and the headers either way."""
        if not self.is_on:
            return None, {}
        if not pattern.startswith(NOT_GLOBAL) and (wait := self._global_wait()):
            told = {"message": "You are being rate limited.", "retry_after": wait, "global": True}
            headers = {"Via": "1.1 google", "X-RateLimit-Global": "true", "Retry-After": str(int(wait) + 1)}
            return told, headers
        name = f"{method} {pattern}"
        limit, seconds = self.limits.get(name, DEFAULT)
        bucket = f"{name}:{params.get('channel') or params.get('token') or ''}"
        now = time.time()
        left, reset = self._buckets.get(bucket, (limit, now + seconds))
        if now >= reset:
            left, reset = limit, now + seconds
        headers = {
            "Via": "1.1 google",
            "X-RateLimit-Limit": str(limit),
            "X-RateLimit-Bucket": format(zlib.crc32(name.encode()), "08x"),
            "X-RateLimit-Reset": f"{reset:.3f}",
            "X-RateLimit-Reset-After": f"{max(0.0, reset - now):.3f}",
            "X-RateLimit-Remaining": str(max(0, left - 1)),
        }
        if left <= 0:
            self.refused += 1
            wait = round(reset - now, 3)
            headers |= {"Retry-After": str(int(wait) + 1), "X-RateLimit-Scope": "user"}
            return {"message": "You are being rate limited.", "retry_after": wait, "global": False}, headers
        self._buckets[bucket] = left - 1, reset
        return None, headers

    def _global_wait(self) -> float:
        now = time.time()
        left, reset = self._global
        if now >= reset:
            left, reset = GLOBAL[0], now + GLOBAL[1]
        if left <= 0:
            self.refused_globally += 1
            return round(reset - now, 3)
        self._global = left - 1, reset
        return 0.0

    def forget(self) -> None:
        self._buckets.clear()

"""What travels: JSON bodies, snowflakes, and Discord's way of saying no."""

import json
import time
from datetime import UTC, datetime
from typing import Any

from aiohttp import web

Json = dict[str, Any]

EPOCH_MS = 1420070400000
V2_FLAG = 1 << 15
EPHEMERAL_FLAG = 1 << 6
LOADING_FLAG = 1 << 7
HAS_THREAD_FLAG = 1 << 5


class Snowflakes:
    """Ids that grow with time and never repeat."""

    def __init__(self) -> None:
        self._last = 0

    def __call__(self) -> str:
        now = (int(time.time() * 1000) - EPOCH_MS) << 22
        self._last = max(now, self._last + 1)
        return str(self._last)


def now_iso() -> str:
    return datetime.now(UTC).isoformat()


def answer(body: Any, *, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """A JSON answer. discord.py reads JSON only where the type is exactly this, without a charset."""
    encoded = json.dumps(body).encode()
    return web.Response(
        body=encoded, status=status, headers={"Content-Type": "application/json", **(headers or {})}
    )


class Refusal(Exception):
    """Discord's answer to a request it does not accept."""

    def __init__(self, status: int, code: int, message: str, *, errors: Json | None = None) -> None:
        super().__init__(f"{status} {code} {message}")
        self.status = status
        self.body: Json = {"message": message, "code": code, **({"errors": errors} if errors else {})}

    @classmethod
    def of_form(cls, field: str, code: str, message: str) -> "Refusal":
        errors: Json = {"_errors": [{"code": code, "message": message}]}
        for part in reversed(field.split(".")):
            errors = {part: errors}
        return cls(400, 50035, "Invalid Form Body", errors=errors)

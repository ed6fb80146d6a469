"""A local platform as a process of its own: a page that shows what happens, and people's moves over HTTP."""

import asyncio
import json
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar

from aiohttp import web

PAUSE_SECONDS = 0.2
"""How soon a page that is looked at asks for more."""


class ControlRoutes(ABC):
    """The page, everything there is as JSON, a feed of changes, and a route for each of *moves*."""

    moves: ClassVar[tuple[str, ...]]
    """Names of methods; each is a move that people make."""

    def add_to(self, app: web.Application) -> None:
        """Add the routes to a local platform that was not started yet."""
        routes = [
            web.get("/", self.show),
            web.get("/_control/state", self._state),
            web.get("/_control/feed", self._feed),
        ]
        app.add_routes(routes + [web.post(f"/_control/{name}", getattr(self, name)) for name in self.moves])

    @abstractmethod
    async def show(self, request: web.Request) -> web.Response:
        """The page."""

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """Everything there is, for scripts."""

    @abstractmethod
    async def changed(self) -> None:
        """Return when something is different."""

    async def _state(self, request: web.Request) -> web.Response:
        return web.json_response(self.state())

    async def _feed(self, request: web.Request) -> web.StreamResponse:
        """A line for each change, for pages that want to be fresh."""
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        while True:
            await response.write(b"data: changed\n\n")
            await self.changed()
            await asyncio.sleep(PAUSE_SECONDS)


async def given_in(request: web.Request) -> Any:
    """What a move was given."""
    return json.loads(await request.text() or "{}")


def script_beside(file: str) -> str:
    """The script of a page, which stands beside the *file* that draws it."""
    return f"<script>{Path(file).with_name('view.js').read_text(encoding='utf-8')}</script>"

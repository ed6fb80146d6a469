"""A small site on this machine, for reading books from the web."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web


@dataclass(frozen=True, slots=True)
class Answer:
    """What a page answers."""

    body: str | bytes = ""
    status: int = 200
    kind: str = "text/html"
    location: str | None = None


@dataclass
class Site:
    """The running site: where it is, and which paths were asked for."""

    address: str = ""
    asked: list[str] = field(default_factory=list)
    pages: dict[str, Answer] = field(default_factory=dict)

    async def answer(self, request: web.Request) -> web.Response:
        self.asked.append(request.path_qs)
        page = self.pages.get(request.path_qs, Answer("Nothing here.", 404))
        body = page.body.replace("{site}", self.address) if isinstance(page.body, str) else page.body
        headers = {"Location": page.location.replace("{site}", self.address)} if page.location else {}
        raw = body.encode() if isinstance(body, str) else body
        return web.Response(body=raw, status=page.status, content_type=page.kind, headers=headers)


@asynccontextmanager
async def a_site(pages: Mapping[str, Answer | str]) -> AsyncIterator[Site]:
    """Serve *pages* on a free port until the end of the block; "{site}" in them becomes its address."""
    site = Site(pages={path: page if isinstance(page, Answer) else Answer(page) for path, page in pages.items()})
    application = web.Application()
    application.router.add_get("/{path:.*}", site.answer)
    runner = web.AppRunner(application)
    await runner.setup()
    try:
        endpoint = web.TCPSite(runner, "127.0.0.1", 0)
        await endpoint.start()
        port = runner.addresses[0][1]
        site.address = f"http://127.0.0.1:{port}"
        yield site
    finally:
        await runner.cleanup()

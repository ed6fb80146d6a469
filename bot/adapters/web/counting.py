"""Counts every request under its route."""

from time import perf_counter

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bot.adapters.web.metrics import Metrics


class Counting:
    """ASGI middleware that tells the metrics how long a request waited for its first byte."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = perf_counter()

        async def send_and_count(message: Message) -> None:
            if message["type"] == "http.response.start":
                # Known only once the router has run; what matched no route is counted together.
                route = getattr(scope.get("route"), "path", "none")
                self._metrics.count(route, message["status"], perf_counter() - started)
            await send(message)

        await self._app(scope, receive, send_and_count)

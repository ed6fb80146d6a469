"""The REST side: one table of routes; what is not in it is a failure, not a shrug."""

import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from tests.fakes.discord.rates import Rates
from tests.fakes.discord.wire import Json, Refusal, answer

Handler = Callable[..., Awaitable[web.Response]]
OPEN_TO_ALL = ("/interactions/", "/webhooks/")
"""These carry a token in their address and need no other."""


@dataclass(frozen=True, slots=True)
class Call:
    """A request as tests look at it."""

    method: str
    path: str
    body: Any


@dataclass(frozen=True, slots=True)
class Fault:
    """An answer to give instead of the real one, once."""

    pattern: re.Pattern[str]
    status: int
    body: Json
    headers: dict[str, str]
    is_after: bool
    """Do what was asked first: the answer alone gets lost."""


@dataclass(frozen=True, slots=True)
class Route:
    method: str
    pattern: str
    regex: re.Pattern[str]
    handler: Handler


class Rest:
    """Answers requests by the routes it was given."""

    def __init__(self, *, token: str, rates: Rates, on_change: Callable[[], Awaitable[None]]) -> None:
        self.calls: list[Call] = []
        self.unknown: list[str] = []
        """Requests for which there is no route: a test that sees one has failed."""
        self.refusals: list[str] = []
        """What was refused, and with which code."""
        self.is_down = False
        self._faults: list[Fault] = []
        self._routes: list[Route] = []
        self._token = token
        self._rates = rates
        self._on_change = on_change

    def add(self, method: str, pattern: str, handler: Handler) -> None:
        regex = re.compile("^" + re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", pattern) + "$")
        self._routes.append(Route(method, pattern, regex, handler))

    def fail_next(
        self,
        pattern: str,
        *,
        status: int,
        body: Json | None = None,
        headers: dict[str, str] | None = None,
        is_after: bool = False,
    ) -> None:
        """Answer the next request that fits *pattern* ("PATCH /channels") with a failure."""
        fault = Fault(
            re.compile(pattern), status, body or {"message": "fault", "code": 0}, headers or {}, is_after
        )
        self._faults.append(fault)

    async def serve(self, request: web.Request) -> web.StreamResponse:
        path = "/" + request.match_info["tail"]
        body = await _body_of(request)
        self.calls.append(Call(request.method, path, body))
        await self._on_change()
        if self.is_down:
            return answer({"message": "no healthy upstream", "code": 0}, status=503)
        fault = self._take_fault(f"{request.method} {path}")
        if fault is not None and not fault.is_after:
            return answer(fault.body, status=fault.status, headers=fault.headers)
        response = await self._route(request, path, body)
        await self._on_change()
        if fault is not None:
            return answer(fault.body, status=fault.status, headers=fault.headers)
        return response

    def _take_fault(self, request: str) -> Fault | None:
        for fault in self._faults:
            if fault.pattern.search(request):
                self._faults.remove(fault)
                return fault
        return None

    async def _route(self, request: web.Request, path: str, body: Any) -> web.Response:
        if not path.startswith(OPEN_TO_ALL) and request.headers.get("Authorization") != f"Bot {self._token}":
            return answer({"message": "401: Unauthorized", "code": 0}, status=401)
        for route in self._routes:
            found = route.regex.match(path)
            if found is None or route.method != request.method:
                continue
            too_many, headers = self._rates.take(route.method, route.pattern, found.groupdict())
            if too_many is not None:
                return answer(too_many, status=429, headers=headers)
            try:
                response = await route.handler(request, body, **found.groupdict())
            except Refusal as refusal:
                self.refusals.append(f"{route.method} {route.pattern}: {refusal}")
                return answer(refusal.body, status=refusal.status, headers=headers)
            response.headers.update(headers)
            return response
        self.unknown.append(f"{request.method} {path}")
        return answer({"message": "404: Not Found", "code": 0}, status=404)


async def _body_of(request: web.Request) -> Any:
    if request.content_type == "application/json" and request.can_read_body:
        return await request.json()
    if request.content_type.startswith("multipart/"):
        form = await request.post()
        body = json.loads(str(form["payload_json"])) if "payload_json" in form else {}
        body["_files"] = [name for name in form if name.startswith("files[")]
        return body
    return None

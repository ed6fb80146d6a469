"""The local Slack as one server: the world, its Web API, its sockets, its people, and ways to make it fail."""

import asyncio
import json
import secrets
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeVar

from aiohttp import web

from tests.fakes.slack.arguments import unknown_arguments
from tests.fakes.slack.chat_api import ChatApi
from tests.fakes.slack.conversations_api import ConversationsApi
from tests.fakes.slack.limits import check_blocks
from tests.fakes.slack.people import People
from tests.fakes.slack.rates import Rates
from tests.fakes.slack.sockets import Sockets
from tests.fakes.slack.web_api import WebApi
from tests.fakes.slack.world import Json, Team, World

T = TypeVar("T")

APP_TOKEN = "xapp-local"
_JSON_ARGUMENTS = {"view", "blocks", "prompts", "loading_messages", "chunks", "metadata", "attachments"}


class LocalSlack:
    """Starts with `async with`. *complaints* is what no app should do; a good test ends with none."""

    def __init__(
        self,
        *teams: Team,
        ack_seconds: float = 3.0,
        retry_pauses: tuple[float, ...] = (0.0, 60.0, 300.0),
        stream_seconds: float = 306.0,
        has_rate_limits: bool = True,
        reads_strictly: bool = False,
    ) -> None:
        installed = teams or (Team(),)
        self.world = World({team.id: team for team in installed})
        self.team = installed[0]
        self.complaints: list[str] = []
        self.calls: list[tuple[str, Json]] = []
        self.failures: list[tuple[str, Json, int, dict[str, str]]] = []
        self.rates = Rates(are_on=has_rate_limits, reads_strictly=reads_strictly)
        self.before_call: Callable[[str, Json], None] = lambda method, given: None
        self._changed = asyncio.Event()
        self.sockets = Sockets(ack_seconds=ack_seconds, retry_pauses=retry_pauses, on_change=self.notify)
        self.chat = ChatApi(self.world, stream_seconds=stream_seconds, complaints=self.complaints)
        self.reads = ConversationsApi(self.world, is_strict=reads_strictly)
        self.api = WebApi(self.world, self.chat, self.reads, app_token=APP_TOKEN, new_ticket=self._new_ticket)
        self.app = web.Application(client_max_size=10 * 2**20)
        self.app.add_routes(
            [
                web.route("*", "/api/{method}", self._web_api),
                web.get("/link", self.sockets.connect),
                web.post("/hooks/{hook}", self._response_url),
                web.get("/files/{file}", self._file),
            ]
        )
        self._runner: web.AppRunner | None = None

    async def start(self, port: int = 0) -> None:
        self._runner = web.AppRunner(self.app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", port)
        await site.start()
        self.base = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        self.people = People(self.world, self.sockets, base=self.base)

    async def stop(self) -> None:
        await self.sockets.close()
        if self._runner is not None:
            await self._runner.cleanup()

    async def __aenter__(self) -> "LocalSlack":
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    @property
    def api_url(self) -> str:
        return f"{self.base}/api/"

    # -- looking --------------------------------------------------------------------------------------------

    def notify(self) -> None:
        self._changed.set()

    async def until(self, found: Callable[[], T | None], seconds: float | None = 60.0) -> T:
        """What *found* gives as soon as it gives something."""
        async with asyncio.timeout(seconds):
            while not (value := found()):
                self._changed.clear()
                await self._changed.wait()
        return value

    async def reply(self, channel: str, thread: str, *, number: int = 1) -> Json:
        """The bot's finished reply in a thread: its *number*th message there, no longer streaming."""

        def finished() -> Json | None:
            replies = self.world.replies(channel, thread)
            if len(replies) < number:
                return None
            stream = self.world.streams.get(replies[number - 1]["ts"])
            message = replies[number - 1]
            is_streaming = stream is not None and stream.state == "open"
            is_whole = any(block["type"] == "markdown" for block in message.get("blocks", []))
            return message if is_whole and not is_streaming else None

        return await self.until(finished)

    def count(self, method: str) -> int:
        return sum(name == method for name, _ in self.calls)

    def fail_next(self, method: str, error: str, *, status: int = 200, **headers: str) -> None:
        """The next call of *method* fails so, instead of being done."""
        self.failures.append((method, {"ok": False, "error": error}, status, headers))

    # -- serving --------------------------------------------------------------------------------------------

    def _new_ticket(self) -> str:
        ticket = secrets.token_hex(8)
        self.sockets.tickets.add(ticket)
        return f"{self.base.replace('http', 'ws', 1)}/link?ticket={ticket}"

    async def _web_api(self, request: web.Request) -> web.Response:
        method = request.match_info["method"]
        given = await _arguments(request)
        token = (request.headers.get("Authorization") or "").removeprefix("Bearer ") or str(given.get("token", ""))
        self.calls.append((method, given))
        self.before_call(method, given)
        failed = self._failure(method)
        if failed is not None:
            self.notify()
            return failed
        team = self._team(method, token)
        if team is None:
            return web.json_response({"ok": False, "error": "invalid_auth"})
        wait = self.rates.wait_seconds(method, team.id, given.get("channel") or given.get("channel_id"))
        if wait:
            headers = {"Retry-After": str(int(wait + 0.999))}
            return web.json_response({"ok": False, "error": "ratelimited"}, status=429, headers=headers)
        act = self.api.methods.get(method)
        if act is None:
            self.complaints.append(f"unknown method {method}")
            return web.json_response({"ok": False, "error": "unknown_method"})
        self.complaints += [f"{method} takes no {name}" for name in unknown_arguments(method, given)]
        answer = act(team, given)
        self.notify()
        return web.json_response({"ok": "error" not in answer, **answer})

    def _failure(self, method: str) -> web.Response | None:
        for place, (name, body, status, headers) in enumerate(self.failures):
            if name == method:
                del self.failures[place]
                shown = {key.replace("_", "-"): value for key, value in headers.items()}
                return web.json_response(body, status=status, headers=shown)
        return None

    def _team(self, method: str, token: str) -> Team | None:
        if method == "apps.connections.open":
            return self.team if token == APP_TOKEN else None
        return next((team for team in self.world.teams.values() if team.token == token), None)

    async def _response_url(self, request: web.Request) -> web.Response:
        hook = self.world.hooks.get(request.match_info["hook"])
        given = await request.json()
        if hook is None or hook.uses >= 5 or time.monotonic() - hook.created > 1800:
            self.complaints.append("a response_url was used up")
            return web.Response(status=404, text="used_url")
        hook.uses += 1
        self.calls.append(("response_url", given))
        self.chat.look_at(given)
        self._check_private(given)
        if given.get("delete_original"):
            self.world.ephemeral = [each for each in self.world.ephemeral if each["ts"] != hook.message_ts]
        else:
            self.world.ephemeral.append(
                {"channel": hook.channel, "user": hook.user, "ts": self.world.ts(), **given}
            )
        self.notify()
        return web.Response(text="ok")

    def _check_private(self, given: Json) -> None:
        """Private messages are checked like others, and take no feedback bar and no Markdown block."""
        kinds = {block.get("type") for block in given.get("blocks") or []}
        if check_blocks(given.get("blocks")) or kinds & {"context_actions", "markdown"}:
            self.complaints.append(f"a private message with {sorted(kinds)}")

    async def _file(self, request: web.Request) -> web.Response:
        token = (request.headers.get("Authorization") or "").removeprefix("Bearer ")
        known = self.world.files.get(request.match_info["file"])
        if known is None or all(token != team.token for team in self.world.teams.values()):
            return web.Response(text="<html>Sign in</html>", content_type="text/html")
        return web.Response(body=known[1], content_type="application/octet-stream")


async def _arguments(request: web.Request) -> Json:
    given: dict[str, Any] = dict(request.query)
    if request.content_type == "application/json":
        given |= await request.json()
    elif request.method == "POST":
        given |= dict(await request.post())
    for name in _JSON_ARGUMENTS & given.keys():
        if isinstance(given[name], str):
            given[name] = json.loads(given[name])
    return given

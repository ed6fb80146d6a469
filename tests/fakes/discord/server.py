"""One server: its world, its gateway, its REST side and its people."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from aiohttp import web

from tests.fakes.discord.checks import text_of
from tests.fakes.discord.gateway import Gateway
from tests.fakes.discord.interaction_routes import InteractionRoutes
from tests.fakes.discord.message_routes import MessageRoutes
from tests.fakes.discord.people import People
from tests.fakes.discord.rates import Rates
from tests.fakes.discord.rest import Rest
from tests.fakes.discord.wire import LOADING_FLAG, Json, Refusal, answer
from tests.fakes.discord.world import BOT_ID, OWNER_ID, World

TOKEN = "local.discord.token"
T = TypeVar("T")


class LocalDiscord:
    """A Discord that a real client can log in to."""

    def __init__(self) -> None:
        self.token = TOKEN
        self.world = World()
        self.rates = Rates()
        self.changed = asyncio.Condition()
        self.on_event: list[Callable[[str, Json], None]] = []
        self.gateway = Gateway(self.world, token=TOKEN, address=lambda: self.gateway_url, on_change=self._notify)
        self.rest = Rest(token=TOKEN, rates=self.rates, on_change=self._notify)
        self.messages = MessageRoutes(self.world, tell=self._tell)
        self.interactions = InteractionRoutes(self.world, messages=self.messages, tell=self._tell)
        self.people = People(self.world, interactions=self.interactions, tell=self._tell)
        self.messages.add_to(self.rest)
        self.interactions.add_to(self.rest)
        self.rest.add("GET", "/users/@me", self._me)
        self.rest.add("GET", "/oauth2/applications/@me", self._application)
        self.rest.add("GET", "/guilds/{guild}/members/{user}", self._member)
        self.app = web.Application(client_max_size=30 * 2**20)
        self.app.router.add_get("/gateway", self.gateway.serve)
        self.app.router.add_route("*", "/api/v10/{tail:.*}", self.rest.serve)
        self.app.router.add_get("/attachments/{id}/{name}", self._attachment)
        self.port = 0

    @asynccontextmanager
    async def running(self, port: int = 0) -> AsyncIterator["LocalDiscord"]:
        """Serve on loopback until the block ends."""
        runner = web.AppRunner(self.app, access_log=None, shutdown_timeout=0.2)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", port)
        await site.start()
        self.port = runner.addresses[0][1]
        self.people.address = f"http://127.0.0.1:{self.port}"
        try:
            yield self
        finally:
            await self.gateway.drop(1001)
            await runner.cleanup()

    @property
    def api_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/api/v10"

    @property
    def gateway_url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/gateway"

    async def _tell(self, event: str, body: Json) -> None:
        await self.gateway.tell(event, body)
        for listener in self.on_event:
            listener(event, body)
        await self._notify()

    async def _notify(self) -> None:
        async with self.changed:
            self.changed.notify_all()

    async def until(self, look: Callable[[], T | None], *, seconds: float = 60.0) -> T:
        """What *look* gives once it gives something, looked at after each change."""

        async def wait() -> T:
            async with self.changed:
                while not (found := look()):
                    await self.changed.wait()
                return found

        return await asyncio.wait_for(wait(), seconds)

    def said(self, channel_id: str) -> list[Json]:
        """The bot's messages in a channel or thread, oldest first."""
        messages = self.world.messages.get(channel_id, {}).values()
        return sorted(
            (each for each in messages if each["author"]["id"] == BOT_ID), key=lambda each: int(each["id"])
        )

    async def until_said(self, channel_id: str, words: str, *, seconds: float = 60.0) -> Json:
        """The bot's message with *words* in it."""

        def look() -> Json | None:
            return next((each for each in self.said(channel_id) if words in text_of(each)), None)

        return await self.until(look, seconds=seconds)

    async def until_answered(self, interaction: Any, words: str = "", *, seconds: float = 60.0) -> Json:
        """The message that answers an interaction, once it is there and has *words* in it."""

        def look() -> Json | None:
            message: Json | None = interaction.original
            is_there = message is not None and not message["flags"] & LOADING_FLAG and words in text_of(message)
            return message if is_there else None

        return await self.until(look, seconds=seconds)

    async def _me(self, request: web.Request, body: Any) -> web.Response:
        return answer(self.world.bot)

    async def _application(self, request: web.Request, body: Any) -> web.Response:
        owner = {**self.world.bot, "id": OWNER_ID, "username": "owner", "bot": False}
        told: Json = {"id": BOT_ID, "name": "Footnote", "icon": None, "description": "", "bot_public": False}
        told |= {"bot_require_code_grant": False, "verify_key": "0" * 64, "owner": owner, "team": None}
        # The portal's switch for message content, as the application's flags tell it.
        told["flags"] = 1 << 19 if self.gateway.privileged & 1 << 15 else 0
        return answer(told)

    async def _member(self, request: web.Request, body: Any, guild: str, user: str) -> web.Response:
        member = self.world.members.get((guild, user))
        if member is None:
            raise Refusal(404, 10007, "Unknown Member")
        return answer(member)

    async def _attachment(self, request: web.Request) -> web.Response:
        content = self.people.attachments.get(request.match_info["id"])
        return web.Response(body=content) if content is not None else web.Response(status=404)

"""The local Discord as a process of its own: people's moves over HTTP, and a page that shows what happens."""

from typing import Any

from aiohttp import web

from tests.fakes.control import ControlRoutes, given_in, script_beside
from tests.fakes.discord.interaction_routes import Interaction
from tests.fakes.discord.server import LocalDiscord
from tests.fakes.discord.view import channel_html, form_html, message_html, page
from tests.fakes.discord.wire import EPHEMERAL_FLAG, Json


def add_control(discord: LocalDiscord) -> None:
    """Add the page and the control routes to a local Discord that was not started yet."""
    Control(discord).add_to(discord.app)


class Control(ControlRoutes):
    """People's moves by HTTP."""

    moves = ("say", "slash", "press", "menu", "submit", "drop")

    def __init__(self, discord: LocalDiscord) -> None:
        self._discord = discord

    async def show(self, request: web.Request) -> web.Response:
        """The page: one channel or thread, with what its reader alone sees."""
        world = self._discord.world
        channel = world.channels[request.query.get("channel") or next(iter(world.channels))]
        people = [user for user in world.users.values() if not user["bot"]]
        user = request.query.get("user") or people[0]["id"]
        links = "".join(
            f'<a href="?channel={each["id"]}&user={user}">{each.get("name") or "direct"}</a>'
            for each in world.channels.values()
        )
        body = f"<nav>{links}</nav>{channel_html(world, channel['id'])}{self._private(channel, user)}"
        body += '<form><input name="text" placeholder="Message @Footnote, or /ask …"></form>'
        shown = page(channel.get("name") or "direct messages", body, script=script_beside(__file__))
        marked = f'<body data-user="{user}" data-channel="{channel["id"]}">'
        return web.Response(text=shown.replace("<main>", f"{marked}<main>", 1), content_type="text/html")

    def _private(self, channel: Json, user: str) -> str:
        """What only this reader sees: private answers, and the form that is open."""
        used = [each for each in self._discord.interactions.by_token.values() if each.user["id"] == user]
        here = [each for each in used if each.channel["id"] == channel["id"]]
        messages = {each.original["id"]: each.original for each in here if each.original is not None}
        shown = [each for each in messages.values() if each["flags"] & EPHEMERAL_FLAG][-3:]
        forms = [each.modal for each in here[-1:] if each.modal]
        world = self._discord.world
        return "".join(message_html(world, each) for each in shown) + "".join(form_html(each) for each in forms)

    def state(self) -> dict[str, Any]:
        discord = self._discord
        return {
            "users": discord.world.users,
            "channels": discord.world.channels,
            "messages": discord.world.messages,
            "commands": discord.interactions.commands,
            "sessions": len(discord.gateway.sessions),
            "unknown_requests": discord.rest.unknown,
            "refusals": discord.rest.refusals,
            "api": discord.api_url,
            "gateway": discord.gateway_url,
        }

    async def changed(self) -> None:
        async with self._discord.changed:
            await self._discord.changed.wait()

    async def say(self, request: web.Request) -> web.Response:
        given, user, channel = await self._given(request)
        text = given["text"].replace("@Footnote", self._discord.people.mention())
        reply_to = self._message(given["reply_to"]) if given.get("reply_to") else None
        return web.json_response(await self._discord.people.say(user, channel, text, reply_to=reply_to))

    async def slash(self, request: web.Request) -> web.Response:
        given, user, channel = await self._given(request)
        used = await self._discord.people.slash(user, channel, given["name"], **given.get("options", {}))
        return _told(used)

    async def press(self, request: web.Request) -> web.Response:
        given, user, _ = await self._given(request)
        message = self._message(given["message"])
        return _told(await self._discord.people.press(user, message, given["custom_id"]))

    async def menu(self, request: web.Request) -> web.Response:
        given, user, _ = await self._given(request)
        return _told(await self._discord.people.menu(user, self._message(given["message"]), given["name"]))

    async def submit(self, request: web.Request) -> web.Response:
        given, *_ = await self._given(request)
        opened = self._discord.interactions.by_token[given["token"]]
        return _told(await self._discord.people.submit(opened, given["values"]))

    async def drop(self, request: web.Request) -> web.Response:
        """Break the gateway's sockets."""
        await self._discord.gateway.drop()
        return web.json_response({})

    async def _given(self, request: web.Request) -> tuple[Any, Json, Json]:
        given = await given_in(request)
        world = self._discord.world
        user = world.users.get(str(given.get("user"))) or next(u for u in world.users.values() if not u["bot"])
        channel = world.channels.get(str(given.get("channel"))) or next(iter(world.channels.values()))
        return given, user, channel

    def _message(self, message_id: str) -> Json:
        for messages in self._discord.world.messages.values():
            if message_id in messages:
                return messages[message_id]
        used = self._discord.interactions.by_token.values()
        return next(each.original for each in used if each.original and each.original["id"] == message_id)


def _told(used: Interaction) -> web.Response:
    return web.json_response({"id": used.id, "token": used.token})

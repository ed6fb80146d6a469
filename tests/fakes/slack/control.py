"""The local Slack as a process of its own: people's moves over HTTP, and a page that shows what happens."""

from typing import Any

from aiohttp import web

from tests.fakes.control import ControlRoutes, given_in, script_beside
from tests.fakes.slack.server import LocalSlack
from tests.fakes.slack.view import blocks_html, channel_html, modal_html, page, thread_html


def add_control(slack: LocalSlack) -> None:
    """Add the page and the control routes to a local Slack that was not started yet."""
    Control(slack).add_to(slack.app)


class Control(ControlRoutes):
    """People's moves by HTTP."""

    moves = ("says", "types", "clicks", "shortcut", "submits", "home")

    def __init__(self, slack: LocalSlack) -> None:
        self._slack = slack

    async def show(self, request: web.Request) -> web.Response:
        """The page: one channel, and the thread that is open in it."""
        world = self._slack.world
        channel = request.query.get("channel") or next(iter(world.channels), "")
        if not channel:
            return web.Response(text="No channel yet.")
        user = request.query.get("user") or next(iter(world.users), "")
        links = "".join(
            f'<a href="?channel={each}&user={user}">#{place["name"]}</a>' for each, place in world.channels.items()
        )
        private = [each for each in world.ephemeral if each["channel"] == channel]
        body = f"<nav>{links}</nav>" + channel_html(world, channel)
        body += "".join(
            f'<div class="private">{blocks_html(each.get("blocks") or [])}</div>' for each in private[-3:]
        )
        body += "".join(modal_html(view) for view in world.views.values())
        body += '<form><input name="text" placeholder="Message, or /command"></form>'
        thread, side = request.query.get("thread"), ""
        if thread:
            side = thread_html(world, channel, thread)
            side += f'<form data-thread="{thread}"><input name="text" placeholder="Reply"></form>'
        shown = page(f"#{world.channels[channel]['name']}", body, side=side, script=script_beside(__file__))
        return web.Response(text=shown, content_type="text/html")

    def state(self) -> dict[str, Any]:
        world = self._slack.world
        return {
            "users": world.users,
            "channels": world.channels,
            "messages": world.messages,
            "ephemeral": world.ephemeral,
            "views": world.views,
            "homes": world.homes,
            "complaints": self._slack.complaints,
            "sockets": len(self._slack.sockets.open),
            "api_url": self._slack.api_url,
        }

    async def changed(self) -> None:
        before = self._size
        await self._slack.until(lambda: self._size != before, seconds=None)

    @property
    def _size(self) -> int:
        return len(self._slack.calls) + sum(map(len, self._slack.world.messages.values()))

    async def says(self, request: web.Request) -> web.Response:
        given = await given_in(request)
        text = given["text"].replace("@Footnote", f"<@{self._slack.team.bot_user}>")
        said = self._slack.people.says(given["user"], given["channel"], text, thread=given.get("thread"))
        self._slack.notify()
        return web.json_response(said)

    async def types(self, request: web.Request) -> web.Response:
        given = await given_in(request)
        people = self._slack.people
        ack = await people.types(given["user"], given["channel"], given["command"], given.get("text", ""))
        return web.json_response(ack)

    async def clicks(self, request: web.Request) -> web.Response:
        given = await given_in(request)
        message = self._slack.world.messages[given["channel"]][given["ts"]]
        ack = await self._slack.people.clicks(
            given["user"], given["channel"], message, given["action"], given.get("value", "")
        )
        return web.json_response(ack)

    async def shortcut(self, request: web.Request) -> web.Response:
        given = await given_in(request)
        message = self._slack.world.messages[given["channel"]][given["ts"]]
        people = self._slack.people
        return web.json_response(
            await people.uses_shortcut(given["user"], given["channel"], message, given["callback_id"])
        )

    async def submits(self, request: web.Request) -> web.Response:
        given = await given_in(request)
        view = self._slack.world.views[given["view"]]
        people = self._slack.people
        return web.json_response(
            await people.submits(given["user"], view, given["values"], team=self._slack.team.id)
        )

    async def home(self, request: web.Request) -> web.Response:
        given = await given_in(request)
        self._slack.people.opens_home(given["user"], given["channel"], given.get("tab", "home"))
        return web.json_response({})

"""The local Slack as a process of its own: people's moves over HTTP, and a page that shows what happens."""

import asyncio
import json
from pathlib import Path
from typing import Any

from aiohttp import web

from tests.fakes.slack.server import LocalSlack
from tests.fakes.slack.view import blocks_html, channel_html, modal_html, page, thread_html
from tests.fakes.slack.world import Json

LIVE = Path(__file__).with_name("view.js")


def add_control(slack: LocalSlack) -> None:
    """Add the page and the control routes to a local Slack that was not started yet."""
    control = Control(slack)
    slack.app.add_routes(
        [
            web.get("/", control.show),
            web.get("/_control/state", control.state),
            web.get("/_control/feed", control.feed),
            web.post("/_control/says", control.says),
            web.post("/_control/types", control.types),
            web.post("/_control/clicks", control.clicks),
            web.post("/_control/shortcut", control.shortcut),
            web.post("/_control/submits", control.submits),
            web.post("/_control/home", control.home),
        ]
    )


class Control:
    """People's moves by HTTP."""

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
        shown = page(
            f"#{world.channels[channel]['name']}",
            body,
            side=side,
            script=f"<script>{LIVE.read_text(encoding='utf-8')}</script>",
        )
        return web.Response(text=shown, content_type="text/html")

    async def state(self, request: web.Request) -> web.Response:
        """Everything there is, for scripts."""
        world = self._slack.world
        known: Json = {
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
        return web.json_response(known)

    async def feed(self, request: web.Request) -> web.StreamResponse:
        """A line for each change, for pages that want to be fresh."""
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        seen = -1
        while True:
            size = len(self._slack.calls) + sum(map(len, self._slack.world.messages.values()))
            if size != seen:
                seen = size
                await response.write(f"data: {size}\n\n".encode())
            await asyncio.sleep(0.3)

    async def says(self, request: web.Request) -> web.Response:
        given = await _given(request)
        text = given["text"].replace("@Footnote", f"<@{self._slack.team.bot_user}>")
        said = self._slack.people.says(given["user"], given["channel"], text, thread=given.get("thread"))
        self._slack.notify()
        return web.json_response(said)

    async def types(self, request: web.Request) -> web.Response:
        given = await _given(request)
        people = self._slack.people
        ack = await people.types(given["user"], given["channel"], given["command"], given.get("text", ""))
        return web.json_response(ack)

    async def clicks(self, request: web.Request) -> web.Response:
        given = await _given(request)
        message = self._slack.world.messages[given["channel"]][given["ts"]]
        ack = await self._slack.people.clicks(
            given["user"], given["channel"], message, given["action"], given.get("value", "")
        )
        return web.json_response(ack)

    async def shortcut(self, request: web.Request) -> web.Response:
        given = await _given(request)
        message = self._slack.world.messages[given["channel"]][given["ts"]]
        people = self._slack.people
        return web.json_response(
            await people.uses_shortcut(given["user"], given["channel"], message, given["callback_id"])
        )

    async def submits(self, request: web.Request) -> web.Response:
        given = await _given(request)
        view = self._slack.world.views[given["view"]]
        people = self._slack.people
        return web.json_response(
            await people.submits(given["user"], view, given["values"], team=self._slack.team.id)
        )

    async def home(self, request: web.Request) -> web.Response:
        given = await _given(request)
        self._slack.people.opens_home(given["user"], given["channel"], given.get("tab", "home"))
        return web.json_response({})


async def _given(request: web.Request) -> Any:
    return json.loads(await request.text() or "{}")

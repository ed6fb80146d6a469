"""Slack's calls over HTTP, for hosts that are reached from outside; Bolt checks each signature."""

import asyncio

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.async_app import AsyncApp

from bot.adapters.slack.connecting import Presence, waited

PATH = "/slack/events"
"""The one address for events, commands and everything interactive."""


async def serve_http(
    app: AsyncApp, presence: Presence, stop: asyncio.Event, *, host: str, port: int, check_every_seconds: float
) -> None:
    """Take Slack's calls until *stop*."""

    async def take(request: web.Request) -> web.Response:
        answer = await app.async_dispatch(await to_bolt_request(request))
        return await to_aiohttp_response(answer)

    server = web.Application()
    server.add_routes([web.post(PATH, take)])
    runner = web.AppRunner(server, access_log=None, handle_signals=False)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
        await presence.arrived()
        while not await waited(stop, check_every_seconds):
            await presence.present()
    finally:
        await runner.cleanup()

"""Slack's calls over HTTP, for hosts that are reached from outside; Bolt checks each signature."""

import asyncio

from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.async_app import AsyncApp

from bot.adapters.slack.connecting import Presence, waited
from core.errors import SettingsError

PATH = "/slack/events"
"""The one address for events, commands and everything interactive."""


async def serve_http(
    app: AsyncApp, presence: Presence, stop: asyncio.Event, *, host: str, port: int, check_every_seconds: float
) -> None:
    """Take Slack's calls until *stop*.

    Raises:
        SettingsError: the address cannot be listened on; the message says which setting to change.
    """

    async def take(request: web.Request) -> web.Response:
        answer = await app.async_dispatch(await to_bolt_request(request))
        return await to_aiohttp_response(answer)

    server = web.Application()
    server.add_routes([web.post(PATH, take)])
    runner = web.AppRunner(server, access_log=None, handle_signals=False)
    await runner.setup()
    try:
        await _listen(runner, host, port)
        await presence.arrived()
        while not await waited(stop, check_every_seconds):
            await presence.present()
    finally:
        await runner.cleanup()


async def _listen(runner: web.AppRunner, host: str, port: int) -> None:
    try:
        await web.TCPSite(runner, host, port).start()
    except OSError as error:
        raise SettingsError(
            f"Slack's calls cannot be taken on {host}, port {port} ({error.strerror or error}). Does another "
            "program listen there? Otherwise choose another port with SLACK_HTTP_PORT.",
            details={"variable": "SLACK_HTTP_PORT"},
        ) from error

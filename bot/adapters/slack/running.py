"""The Slack bot: the same core and the same words as everywhere, in Slack's own shape."""

import asyncio
import logging
from contextlib import suppress
from itertools import chain, repeat

from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.app import SlackBot
from bot.adapters.slack.catching_up import CatchingUp, Patience
from bot.adapters.slack.connecting import Line, Presence, Watch
from bot.adapters.slack.http import serve_http
from bot.adapters.slack.missed import Missed
from bot.adapters.slack.naming import Naming
from bot.adapters.slack.pace import Pace
from bot.adapters.slack.place import PLATFORM
from bot.adapters.slack.workspaces import Workspaces, open_client, open_workspaces
from bot.desk import Desk
from bot.permissions import Permissions
from bot.public_page import PublicPage
from bot.turns import Turns
from core.errors import ServiceError
from core.settings import Settings

START_PAUSES = (1.0, 2.0, 5.0, 15.0, 30.0, 60.0)
"""Seconds between attempts to reach Slack at the start; the last one repeats."""

log = logging.getLogger(__name__)


async def run_slack(
    settings: Settings,
    turns: Turns,
    desk: Desk,
    stop: asyncio.Event,
    *,
    watch: Watch = Watch(),  # noqa: B008 - frozen
    pace: Pace | None = None,
    patience: Patience = Patience(),  # noqa: B008 - frozen
    poll_seconds: float = 2.0,
) -> None:
    """Serve Slack until *stop*. *poll_seconds* is how often the progress of a book is looked at.

    Raises:
        SettingsError: Slack refuses a token.
    """
    assert settings.slack_bot_token, "whoever serves Slack has a token"
    async with open_client(settings.slack_api_url) as client:
        assert client.session is not None, "it was opened with one"
        workspaces = await _wait_for_slack(client, settings.slack_bot_token, stop)
        if workspaces is None:
            return
        bot = SlackBot(
            client=client,
            session=client.session,
            workspaces=workspaces,
            turns=turns,
            desk=desk,
            permissions=_permissions(settings),
            pace=pace or Pace(),
            page=PublicPage(settings.public_url),
            naming=Naming(settings.slack_command_prefix),
            poll_seconds=poll_seconds,
        )
        await turns.resume(PLATFORM)
        catching_up = CatchingUp(
            desk=desk,
            missed=Missed(desk.places, workspaces),
            hearing=bot.hearing,
            listening=bot.listening,
            hours=settings.catch_up_hours,
            patience=patience,
        )
        try:
            await _listen(settings, bot, catching_up, stop, watch)
        finally:
            await catching_up.close()
            await bot.background.close()


async def _wait_for_slack(client: AsyncWebClient, tokens: str, stop: asyncio.Event) -> Workspaces | None:
    """Our workspaces, as soon as Slack can be asked; None if we are to stop before that."""
    for pause in chain(START_PAUSES, repeat(START_PAUSES[-1])):
        try:
            return await open_workspaces(client, tokens)
        except ServiceError as error:
            log.warning("Slack cannot be reached (%s); again in %.0f s", error, pause)
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), pause)
        if stop.is_set():
            break
    return None


async def _listen(
    settings: Settings, bot: SlackBot, presence: Presence, stop: asyncio.Event, watch: Watch
) -> None:
    if settings.slack_app_token:
        line = Line(bot.to_app(), bot.client, settings.slack_app_token, presence=presence, watch=watch)
        await line.run(stop)
        return
    app = bot.to_app(signing_secret=settings.slack_signing_secret)
    host, port, every = settings.host, settings.slack_http_port, watch.check_every_seconds
    await serve_http(app, presence, stop, host=host, port=port, check_every_seconds=every)


def _permissions(settings: Settings) -> Permissions:
    return Permissions(
        channels=frozenset(settings.slack_channels),
        roles=frozenset(settings.slack_groups),
        leader_roles=frozenset(settings.slack_leader_groups),
    )

"""The Slack bot: the same core and the same words as everywhere, in Slack's own shape."""

import asyncio

from bot.adapters.slack.app import SlackBot
from bot.adapters.slack.catching_up import CatchingUp
from bot.adapters.slack.http import serve_http
from bot.adapters.slack.pace import Pace
from bot.adapters.slack.place import PLATFORM
from bot.adapters.slack.running import Line, Watch
from bot.adapters.slack.workspaces import open_client, open_workspaces
from bot.desk import Desk
from bot.permissions import Permissions
from bot.public_page import PublicPage
from bot.turns import Turns
from core.settings import Settings

__all__ = ["run_slack"]


async def run_slack(
    settings: Settings,
    turns: Turns,
    desk: Desk,
    stop: asyncio.Event,
    *,
    watch: Watch = Watch(),  # noqa: B008
    pace: Pace | None = None,
    poll_seconds: float = 2.0,
) -> None:
    """Serve Slack until *stop*. *poll_seconds* is how often the progress of a book is looked at.

    Raises:
        SettingsError: Slack refuses a token.
    """
    assert settings.slack_bot_token, "whoever serves Slack has a token"
    async with open_client(settings.slack_api_url) as client:
        assert client.session is not None, "it was opened with one"
        bot = SlackBot(
            client=client,
            session=client.session,
            workspaces=(workspaces := await open_workspaces(client, settings.slack_bot_token)),
            turns=turns,
            desk=desk,
            permissions=_permissions(settings),
            pace=pace or Pace(),
            page=PublicPage(settings.public_url),
            prefix=settings.slack_command_prefix,
            poll_seconds=poll_seconds,
        )
        last_listened = await desk.places.last_listened(PLATFORM)
        await turns.resume(PLATFORM)
        missed = CatchingUp(
            places=desk.places,
            workspaces=workspaces,
            hearing=bot.hearing,
            listening=bot.listening,
            hours=settings.catch_up_hours,
        )
        bot.background.start(_look_back(missed, last_listened))
        try:
            await _listen(settings, bot, desk, stop, watch)
        finally:
            await bot.background.close()


async def _listen(settings: Settings, bot: SlackBot, desk: Desk, stop: asyncio.Event, watch: Watch) -> None:
    async def note() -> None:
        await desk.places.listened(PLATFORM)

    if settings.slack_app_token:
        line = Line(bot.to_app(), bot.client, settings.slack_app_token, on_alive=note, watch=watch)
        await line.run(stop)
        return
    app = bot.to_app(signing_secret=settings.slack_signing_secret)
    await serve_http(app, stop, host=settings.host, port=settings.slack_http_port)


async def _look_back(missed: CatchingUp, last_listened: float | None) -> None:
    await missed.run(last_listened)


def _permissions(settings: Settings) -> Permissions:
    return Permissions(
        channels=frozenset(settings.slack_channels),
        roles=frozenset(settings.slack_groups),
        leader_roles=frozenset(settings.slack_leader_groups),
    )

"""Starts the Discord bot and keeps it running: only what an operator must repair ends it."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

import aiohttp
import discord

from bot import wording
from bot.adapters.discord.addresses import use_addresses
from bot.adapters.discord.client import FootnoteClient
from bot.adapters.discord.pace import Pace
from bot.desk import Desk
from bot.ending import end
from bot.turns import Turns
from core.errors import SettingsError
from core.settings import Settings

log = logging.getLogger(__name__)
PAUSES = (1.0, 2.0, 5.0, 15.0, 30.0, 60.0)
"""Seconds before starting again after trouble; the last one repeats."""


async def run_discord(
    settings: Settings,
    turns: Turns,
    desk: Desk,
    stop: asyncio.Event,
    *,
    pace: Pace | None = None,
    pauses: tuple[float, ...] = PAUSES,
    guild_ready_seconds: float = 2.0,
    late_after_seconds: float = 60.0,
    presence_seconds: float = 20.0,
    on_ready: Callable[[], None] = lambda: None,
) -> None:
    """Serve Discord until *stop* is set; *on_ready* is called each time the bot begins to listen.

    Gateway trouble of any kind is waited out: a client that cannot go on is replaced by a new one.

    Raises:
        SettingsError: Discord does not accept the token.
    """
    use_addresses(settings)
    # One for all clients: Discord counts by token, and a new client begins with what the last one left.
    pace = pace or Pace()
    reads_content = True
    failures = 0
    while not stop.is_set():
        client = FootnoteClient(
            settings=settings,
            turns=turns,
            desk=desk,
            pace=pace,
            reads_content=reads_content,
            guild_ready_seconds=guild_ready_seconds,
            late_after=timedelta(seconds=late_after_seconds),
            presence_seconds=presence_seconds,
            when_ready=on_ready,
        )
        try:
            await _serve(client, settings.discord_token or "", stop)
        except discord.LoginFailure as error:
            raise SettingsError(wording.DISCORD_REFUSES, details={"variable": "DISCORD_TOKEN"}) from error
        except discord.PrivilegedIntentsRequired:
            log.warning(wording.DISCORD_HIDES_CONTENT)
            reads_content = False
            continue
        except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError) as error:
            log.warning("Discord cannot be reached (%s: %s)", type(error).__name__, error)
        except Exception:
            # A malformed event, or a fault of the library: the next client begins with a clean state.
            log.exception("the Discord client broke off")
        failures = 0 if client.was_ready else failures + 1
        await _pause(stop, pauses[min(failures, len(pauses) - 1)])


async def _serve(client: FootnoteClient, token: str, stop: asyncio.Event) -> None:
    async with client:
        serving = asyncio.create_task(client.start(token))
        stopping = asyncio.create_task(stop.wait())
        listening = asyncio.create_task(client.note_presence())
        try:
            await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if serving.done():
                await serving
        finally:
            # Listening ends before the client closes: events that come in between find no loop any more.
            await end((stopping, listening, serving))
            await client.close()


async def _pause(stop: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)

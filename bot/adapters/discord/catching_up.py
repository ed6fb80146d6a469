"""What was said to us while we were away: looked up in our threads, in channels and in direct messages."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime

import aiohttp
import discord

from bot.adapters.discord.pace import Pace
from bot.adapters.discord.place import PLATFORM
from core.store.places import Places

log = logging.getLogger(__name__)
OVERLAP_SECONDS = 60.0
"""How much further back we look than to when we last listened; what is known already is a no-op."""
PER_CHANNEL = 100
RECENT_SECONDS = 14 * 86_400.0
"""Conversations older than this are not looked through."""

RETRY_PAUSES = (1.0, 2.0, 5.0, 15.0, 60.0, 300.0)

Take = Callable[[discord.Message], Awaitable[None]]


class CatchingUp:
    """Looks through the places where somebody may have asked."""

    def __init__(self, client: discord.Client, *, places: Places, pace: Pace, max_hours: int) -> None:
        self._client = client
        self._pace = pace
        self._places = places
        self._max_hours = max_hours

    async def catch_up(self, take: Take) -> int:
        """Give every message since we last listened to *take*, oldest first in each place; how many."""
        last = await self._places.last_listened(PLATFORM)
        if last is None or not self._max_hours:
            return 0
        earliest = time.time() - self._max_hours * 3600
        since = datetime.fromtimestamp(max(last - OVERLAP_SECONDS, earliest), UTC)
        count = 0
        async for channel in self._channels():
            count += await self._look_through(channel, since, take)
        return count

    async def _channels(self) -> AsyncIterator[discord.abc.Messageable]:
        """Text channels, threads that are active, and places we were asked in lately.

        Discord does not tell a bot who wrote to it directly for the first time while it was away.
        """
        seen: set[int] = set()
        for guild in self._client.guilds:
            channels: list[discord.TextChannel | discord.Thread] = [*guild.text_channels, *guild.threads]
            for channel in channels:
                seen.add(channel.id)
                yield channel
        for key in await self._places.recent(PLATFORM, since=time.time() - RECENT_SECONDS):
            # Commands in a channel have no place of their own; their keys are no numbers.
            place_id = int(key.thread) if key.thread.isdigit() else 0
            if place_id and place_id not in seen and (place := await self._fetch(place_id)) is not None:
                seen.add(place_id)
                yield place

    async def _fetch(self, place_id: int) -> discord.abc.Messageable | None:
        await self._pace.take()
        try:
            place = await self._client.fetch_channel(place_id)
        except (discord.Forbidden, discord.NotFound):
            return None
        return place if isinstance(place, discord.abc.Messageable) else None

    async def _look_through(self, channel: discord.abc.Messageable, since: datetime, take: Take) -> int:
        last_id = getattr(channel, "last_message_id", None)
        if last_id is not None and discord.utils.snowflake_time(last_id) < since:
            return 0
        for pause in RETRY_PAUSES:
            try:
                return await self._take_all(channel, since, take)
            except (discord.Forbidden, discord.NotFound):
                return 0
            except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                log.warning("a place could not be looked through after being away (%s); again soon", error)
                await asyncio.sleep(pause)
        log.error("a place could not be looked through after being away; what was asked there is not answered")
        return 0

    async def _take_all(self, channel: discord.abc.Messageable, since: datetime, take: Take) -> int:
        await self._pace.take()
        count = 0
        async for message in channel.history(after=since, limit=PER_CHANNEL, oldest_first=True):
            try:
                await take(message)
            except Exception:
                # One message that we stumble over must not cost the others their answer.
                log.exception("message %s could not be taken", message.id)
            count += 1
        return count

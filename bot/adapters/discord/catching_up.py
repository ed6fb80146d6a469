"""What was said to us while we were away: looked up in our threads, in channels and in direct messages."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import discord

from bot.adapters.discord.pace import Pace
from bot.adapters.discord.place import PLATFORM
from bot.adapters.discord.trouble import TROUBLE
from core.store.places import Places

log = logging.getLogger(__name__)
OVERLAP_SECONDS = 120.0
"""How much further back we look than to when we last listened; what is known already is a no-op.

A socket that broke without a word is noticed after a minute and a half at most.
"""
PER_PAGE = 100
RECENT_SECONDS = 14 * 86_400.0
"""Conversations older than this are not looked through."""

RETRY_PAUSES = (1.0, 2.0, 5.0, 15.0, 60.0, 300.0)

Take = Callable[[discord.Message], Awaitable[None]]
Place = discord.abc.Messageable | int
"""Somewhere to look, or the id of where."""


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
        now = time.time()
        earliest = now - self._max_hours * 3600
        # A moment that is still to come was noted by a clock that was wrong: it tells nothing.
        since = datetime.fromtimestamp(max(last - OVERLAP_SECONDS, earliest) if last <= now else earliest, UTC)
        count, left = 0, await self._channels()
        for pause in (0.0, *RETRY_PAUSES):
            await asyncio.sleep(pause)
            counts = [(place, await self._look_through(place, since, take)) for place in left]
            count += sum(taken or 0 for _, taken in counts)
            # One place that gives trouble keeps no other waiting.
            left = [place for place, taken in counts if taken is None]
            if not left:
                return count
        log.error("%d places could not be looked through; what was asked there is not answered", len(left))
        return count

    async def _channels(self) -> list[Place]:
        """Text channels, threads that are active, and places we were asked in lately.

        Discord does not tell a bot who wrote to it directly for the first time while it was away.
        """
        places: dict[int, Place] = {}
        for guild in self._client.guilds:
            places |= {channel.id: channel for channel in guild.text_channels}
            places |= {thread.id: thread for thread in guild.threads}
        for key in await self._places.recent(PLATFORM, since=time.time() - RECENT_SECONDS):
            # Commands in a channel have no place of their own; their keys are no numbers.
            if key.thread.isdigit():
                places.setdefault(int(key.thread), int(key.thread))
        return list(places.values())

    async def _look_through(self, place: Place, since: datetime, take: Take) -> int | None:
        """How many messages it had for us; None if it could not be read just now."""
        try:
            channel = await self._fetch(place) if isinstance(place, int) else place
            last_id = getattr(channel, "last_message_id", None)
            if last_id is not None and discord.utils.snowflake_time(last_id) < since:
                return 0
            return await self._take_all(channel, since, take) if channel is not None else 0
        except (discord.Forbidden, discord.NotFound):
            return 0
        except TROUBLE as error:
            log.warning("a place could not be looked through after being away (%s); again soon", error)
            return None

    async def _fetch(self, place_id: int) -> discord.abc.Messageable | None:
        await self._pace.take()
        place = await self._client.fetch_channel(place_id)
        return place if isinstance(place, discord.abc.Messageable) else None

    async def _take_all(self, channel: discord.abc.Messageable, since: datetime, take: Take) -> int:
        count = 0
        after: datetime | discord.Message = since
        while True:
            await self._pace.take()
            page = [each async for each in channel.history(after=after, limit=PER_PAGE, oldest_first=True)]
            for message in page:
                try:
                    await take(message)
                except Exception:
                    # One message that we stumble over must not cost the others their answer.
                    log.exception("message %s could not be taken", message.id)
            count += len(page)
            if len(page) < PER_PAGE:
                return count
            after = page[-1]

"""Whose books somebody may read in direct messages: those of a server they share with us."""

import time

import discord

from bot.adapters.discord.pace import Pace
from bot.adapters.discord.place import alone, group_of

MAX_GUILDS = 50
KEEP_SECONDS = 600.0


class Groups:
    """The group of a member who writes to us directly. It is asked anew now and then: members leave servers."""

    def __init__(self, client: discord.Client, pace: Pace) -> None:
        self._client = client
        self._pace = pace
        self._known: dict[int, tuple[float, str]] = {}

    async def of(self, user_id: int) -> str:
        """The first server that we and the member share; a group of their own if there is none."""
        asked_at, group = self._known.get(user_id, (0.0, ""))
        if time.monotonic() - asked_at > KEEP_SECONDS or not group:
            group = await self._ask(user_id)
            self._known[user_id] = time.monotonic(), group
        return group

    async def _ask(self, user_id: int) -> str:
        for guild in sorted(self._client.guilds, key=lambda guild: guild.id)[:MAX_GUILDS]:
            await self._pace.take()
            try:
                await guild.fetch_member(user_id)
            except (discord.NotFound, discord.Forbidden):
                continue
            return group_of(guild.id)
        return alone(user_id)

"""Whose books somebody may read in direct messages, and whether they may ask: as in a server we share."""

import time
from dataclasses import dataclass

import discord

from bot.adapters.discord.pace import Pace
from bot.adapters.discord.place import alone, group_of
from bot.permissions import Permissions

MAX_GUILDS = 50
KEEP_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class Standing:
    """What somebody who writes to us directly is to us."""

    group: str
    may_ask: bool


class Groups:
    """Members who write to us directly. They are looked up anew now and then: they leave servers."""

    def __init__(self, client: discord.Client, pace: Pace, permissions: Permissions) -> None:
        self._client = client
        self._pace = pace
        self._permissions = permissions
        self._known: dict[int, tuple[float, Standing]] = {}

    async def of(self, user_id: int) -> str:
        """The first server we share, if possible one in which they may ask; else a group of their own."""
        return (await self._standing(user_id)).group

    async def may_ask(self, user_id: int) -> bool:
        """Whether the operator lets the member ask directly: they have one of the roles in a server we share."""
        return (await self._standing(user_id)).may_ask

    async def _standing(self, user_id: int) -> Standing:
        known = self._known.get(user_id)
        if known is None or time.monotonic() - known[0] > KEEP_SECONDS:
            known = time.monotonic(), await self._look_up(user_id)
            self._known[user_id] = known
        return known[1]

    async def _look_up(self, user_id: int) -> Standing:
        refused: Standing | None = None
        for guild in sorted(self._client.guilds, key=lambda guild: guild.id)[:MAX_GUILDS]:
            await self._pace.take()
            try:
                member = await guild.fetch_member(user_id)
            except (discord.NotFound, discord.Forbidden):
                continue
            if lets_ask(self._permissions, member):
                return Standing(group_of(guild.id), may_ask=True)
            refused = refused or Standing(group_of(guild.id), may_ask=False)
        return refused or Standing(alone(user_id), may_ask=self._permissions.may_ask([]))


def lets_ask(permissions: Permissions, member: discord.Member) -> bool:
    """Whether a member's roles in their server are enough to ask."""
    roles = [str(role.id) for role in member.roles]
    return permissions.may_ask(roles, is_manager=member.guild_permissions.manage_guild)

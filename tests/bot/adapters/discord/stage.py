"""A study group on the local Discord, and the whole bot on it; only the thinking is scripted."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.adapters.discord import run_discord
from bot.adapters.discord.pace import Pace
from bot.desk import Desk
from bot.limits import Allowance
from bot.turn_work import TurnRules
from bot.turns import Turns
from core.settings import Settings
from core.store.database import Database
from tests.bot.group import QUICK, RememberingAgent, WordSearcher, add_small_book, make_parts
from tests.bot.scripted import WAIT, Script
from tests.fakes.discord import LocalDiscord
from tests.fakes.discord.wire import Json


@dataclass
class Stage:
    """Everything a scenario needs at hand."""

    discord: LocalDiscord
    database: Database
    settings: Settings
    agent: RememberingAgent
    turns: Turns
    desk: Desk
    searcher: WordSearcher
    guild: Json
    general: Json
    ann: Json
    bob: Json
    lea: Json
    """She leads the group."""
    is_listening: asyncio.Event = field(default_factory=asyncio.Event)
    pace: Pace = field(default_factory=lambda: Pace(per_second=1000))

    @asynccontextmanager
    async def bot(self) -> AsyncIterator[None]:
        """The bot, listening, until the block ends."""
        stop, running = asyncio.Event(), asyncio.create_task(self.turns.run())
        serving = asyncio.create_task(self.serve(stop))
        try:
            await self.until_listening(serving)
            yield
        finally:
            stop.set()
            await asyncio.wait_for(serving, WAIT)
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running

    async def serve(self, stop: asyncio.Event) -> None:
        """The bot's own work, with no pauses worth noticing."""
        await run_discord(
            self.settings,
            self.turns,
            self.desk,
            stop,
            pace=self.pace,
            pauses=(0.01,),
            guild_ready_seconds=0.02,
            late_after_seconds=0.0,
            presence_seconds=0.02,
            on_ready=self.is_listening.set,
        )

    async def until_listening(self, serving: "asyncio.Task[None]") -> None:
        """Wait until the bot listens; its own failure to start is raised here."""
        listening = asyncio.create_task(self.is_listening.wait())
        await asyncio.wait({listening, serving}, return_when=asyncio.FIRST_COMPLETED, timeout=WAIT)
        listening.cancel()
        if serving.done():
            await serving
        assert self.is_listening.is_set()

    async def ask(self, question: str = "What is a node?", *, by: Json | None = None) -> Json:
        """Mention the bot in #general; the message, whose id is also its thread's."""
        return await self.discord.people.ask(by or self.ann, self.general, question)


async def make_stage(
    discord: LocalDiscord,
    database: Database,
    data_dir: Path,
    *script: Script,
    is_gated: bool = False,
    allowance: Allowance = Allowance(),  # noqa: B008
    rules: TurnRules = QUICK,
    **settings: Any,
) -> Stage:
    """A server with a channel, three members and a book; the bot is not logged in yet."""
    parts = make_parts(database, data_dir, *script, is_gated=is_gated, allowance=allowance, rules=rules)
    await add_small_book(database)
    world = discord.world
    guild = next(iter(world.guilds.values()), None) or world.add_guild()
    general = guild["channels"][0] if guild["channels"] else world.add_channel(guild, "general")
    people = {user["username"]: user for user in world.users.values()}
    ann, bob, lea = (people.get(name) or world.add_user(name) for name in ("ann", "bob", "lea"))
    world.join(guild, lea, is_leader=True)
    world.join(guild, ann)
    world.join(guild, bob)
    chosen = Settings(
        data_dir=data_dir,
        discord_token=settings.pop("discord_token_override", discord.token),
        discord_api_base=discord.api_url,
        discord_gateway_url=discord.gateway_url,
        **settings,
    )
    return Stage(
        discord,
        database,
        chosen,
        parts.agent,
        parts.turns,
        parts.desk,
        parts.searcher,
        guild,
        general,
        ann,
        bob,
        lea,
    )

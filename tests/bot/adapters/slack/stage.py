"""A study group on the local Slack, and the whole bot on it; only the thinking is scripted."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.adapters.slack import run_slack
from bot.adapters.slack.catching_up import Patience
from bot.adapters.slack.connecting import Watch
from bot.adapters.slack.pace import Pace
from bot.turn_work import TurnRules
from core.settings import Settings
from core.store.database import Database
from tests.bot.group import QUICK, BotParts, WritingAgent, add_small_book, make_parts
from tests.bot.scripted import WAIT
from tests.fakes.slack import LocalSlack
from tests.fakes.slack.server import APP_TOKEN
from tests.fakes.slack.world import Json

AT_ONCE = Patience(calm_seconds=0.0, again_seconds=0.0)
QUICK_WATCH = Watch(ping_seconds=0.2, deaf_after_seconds=60.0, check_every_seconds=0.05)


@dataclass
class Stage:
    """Everything a scenario needs at hand."""

    slack: LocalSlack
    database: Database
    settings: Settings
    parts: BotParts
    general: str
    direct: str
    """Ann's direct messages with the bot."""
    ann: str
    bob: str
    lea: str
    """She leads the group: an admin of the workspace."""
    watch: Watch = QUICK_WATCH
    patience: Patience = AT_ONCE

    @asynccontextmanager
    async def bot(self) -> AsyncIterator["asyncio.Task[None]"]:
        """The bot, connected, until the block ends."""
        stop = asyncio.Event()
        running = asyncio.create_task(self.parts.turns.run())
        serving = asyncio.create_task(
            run_slack(
                self.settings,
                self.parts.turns,
                self.parts.desk,
                stop,
                watch=self.watch,
                patience=self.patience,
                pace=Pace(show_every_seconds=0.0, update_every_seconds=0.0),
                poll_seconds=0.01,
            )
        )
        serving.add_done_callback(lambda _: self.slack.notify())
        try:
            await self.slack.until(lambda: self.slack.sockets.open or serving.done())
            if serving.done():
                await serving
            yield serving
        finally:
            stop.set()
            with suppress(asyncio.CancelledError):
                await asyncio.wait_for(serving, WAIT)
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running

    @property
    def writer(self) -> WritingAgent:
        assert isinstance(self.parts.agent, WritingAgent)
        return self.parts.agent

    @property
    def mention(self) -> str:
        return f"<@{self.slack.team.bot_user}>"

    def ask(self, question: str = "What is a node?", **options: Any) -> Json:
        """Mention the bot in #general; the message."""
        return self.slack.people.says(self.ann, self.general, f"{self.mention} {question}", **options)

    async def answer(self, question: str = "What is a node?") -> tuple[Json, Json]:
        """Ask, and wait for the reply; both messages."""
        asked = self.ask(question)
        return asked, await self.slack.reply(self.general, asked["ts"])

    async def settled(self) -> None:
        """Wait until every event was taken and every turn is done."""
        await asyncio.gather(*self.slack.people.deliveries)
        await asyncio.wait_for(self.parts.turns.wait_idle(), WAIT)


async def make_stage(
    slack: LocalSlack,
    database: Database,
    data_dir: Path,
    *script: Any,
    is_gated: bool = False,
    writes: bool = False,
    rules: TurnRules = QUICK,
    **settings: Any,
) -> Stage:
    """A workspace with a channel, three members and a book; the bot is not connected yet. Twice is a restart."""
    parts = make_parts(database, data_dir, *script, is_gated=is_gated, writes=writes, rules=rules)
    await add_small_book(database)
    world, team = slack.world, slack.team.id
    known = {user["name"]: user_id for user_id, user in world.users.items()}
    ann = known.get("ann") or world.add_user("ann", team=team)
    bob = known.get("bob") or world.add_user("bob", team=team)
    lea = known.get("lea") or world.add_user("lea", team=team, is_admin=True)
    places = {channel["name"]: channel_id for channel_id, channel in world.channels.items()}
    general = places.get("general") or world.add_channel("general", team=team)
    direct = places.get("dm") or world.add_channel("dm", team=team, kind="im", user=ann)
    tokens = ",".join(dict.fromkeys(each.token for each in world.teams.values()))
    chosen = {"slack_bot_token": tokens, "slack_app_token": APP_TOKEN, **settings}
    made = Settings(data_dir=data_dir, slack_api_url=slack.api_url, **chosen)
    return Stage(slack, database, made, parts, general, direct, ann, bob, lea)


def texts(blocks: Any) -> str:
    """Every word inside blocks, for looking."""
    if isinstance(blocks, dict):
        own = blocks["text"] if isinstance(blocks.get("text"), str) else ""
        return own + "\n" + "\n".join(texts(each) for each in blocks.values() if isinstance(each, dict | list))
    return "\n".join(texts(each) for each in blocks) if isinstance(blocks, list | tuple) else ""


def find_button(blocks: Any, action_id: str) -> Json:
    """The first element whose action id begins so."""
    if isinstance(blocks, dict):
        if str(blocks.get("action_id", "")).startswith(action_id):
            return blocks
        blocks = list(blocks.values())
    for each in blocks if isinstance(blocks, list | tuple) else []:
        with suppress(LookupError):
            return find_button(each, action_id)
    raise LookupError(action_id)

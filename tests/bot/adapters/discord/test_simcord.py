"""The main scenarios once more, judged by SimCord: somebody else's idea of Discord."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import discord
import simcord

from bot import wording
from bot.adapters.discord.client import FootnoteClient
from bot.adapters.discord.pace import Pace
from bot.adapters.discord.words import text_of
from bot.turn_work import TurnRules
from core.settings import Settings
from core.store.database import Database
from tests.bot.group import BotParts, add_small_book, cited, make_parts
from tests.bot.scripted import WAIT, Script


@dataclass
class Judged:
    """A study group in SimCord's Discord."""

    env: simcord.Env
    parts: BotParts
    bot_id: int
    general: Any
    ann: Any
    bob: Any

    async def settle(self) -> None:
        """Wait for the turns, which work beside the client."""
        for _ in range(3):
            await self.env.settle()
            await asyncio.wait_for(self.parts.turns.wait_idle(), WAIT)

    def said(self, channel: Any) -> list[Any]:
        """The bot's messages in a channel, oldest first."""
        return [each for each in channel.history() if each.author.id == self.bot_id]

    async def ask(self, words: str, *, reply_to: Any = None) -> Any:
        """Mention the bot; the thread in which it answered."""
        asked = await self.ann.send(self.general, f"<@{self.bot_id}> {words}", reply_to=reply_to)
        await self.settle()
        return next(each for each in self.general.threads if each.id == asked.id)


def words_of(message: discord.Message) -> str:
    return text_of(message)


def custom_ids(message: discord.Message) -> list[str]:
    rows = [row for box in message.components for row in getattr(box, "children", [])]
    pressed = [each for row in rows for each in getattr(row, "children", [])]
    return [each.custom_id for each in pressed if isinstance(each, discord.Button) and each.custom_id]


@asynccontextmanager
async def judged(database: Database, folder: Path, *script: Script) -> AsyncIterator[Judged]:
    await add_small_book(database)
    # SimCord's clock stands still between acts, so nothing may wait for more words.
    parts = make_parts(database, folder, *script, rules=TurnRules(join_seconds=0))
    client = FootnoteClient(
        settings=Settings(data_dir=folder),
        turns=parts.turns,
        desk=parts.desk,
        pace=Pace(),
        reads_content=True,
        guild_ready_seconds=0.01,
        late_after=timedelta(seconds=60),
        when_ready=lambda: None,
    )
    async with simcord.run(client) as env:
        # Made here, it sees SimCord's Discord but is not waited for as a part of the bot that must come to rest.
        running = asyncio.create_task(parts.turns.run())
        guild = env.create_guild()
        general = guild.create_text_channel("general")
        ann, bob = (guild.add_member(env.create_user(name)) for name in ("ann", "bob"))
        assert client.user is not None
        try:
            yield Judged(env, parts, client.user.id, general, ann, bob)
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running


async def test_mention_is_answered_in_a_thread_that_goes_on(database: Database, tmp_path: Path) -> None:
    async with judged(database, tmp_path) as group:
        thread = await group.ask("What is a node?")
        await group.bob.send(thread, "and a topic?")
        await group.settle()

        first, second = group.said(thread)
        assert thread.name == "What is a node?"
        assert "You asked: What is a node?" in words_of(first)
        assert "You asked: and a topic?" in words_of(second)


async def test_reply_is_the_selected_text(database: Database, tmp_path: Path) -> None:
    async with judged(database, tmp_path) as group:
        claim = await group.bob.send(group.general, "A node is a thread.")
        await group.ask("is that so?", reply_to=claim)

        assert group.parts.agent.asked[0].selected_text == "A node is a thread."


async def test_ask_command_is_deferred_and_answered(database: Database, tmp_path: Path) -> None:
    async with judged(database, tmp_path) as group:
        used = await group.ann.slash(group.general, "ask", question="What is a node?")
        await group.settle()

        assert used.acknowledged
        assert used.response is not None
        assert "You asked: What is a node?" in words_of(used.response.message)


async def test_search_is_private_and_a_passage_can_be_shared(database: Database, tmp_path: Path) -> None:
    async with judged(database, tmp_path) as group:
        used = await group.ann.slash(group.general, "search", query="named channel")
        await group.settle()
        assert used.response is not None
        assert used.response.ephemeral
        shared = await group.ann.click(used.response.message, label="Share")

        assert shared.response is not None
        assert not shared.response.ephemeral
        assert "A topic is a named channel" in words_of(shared.response.message)


async def test_message_menu_form_and_answer(database: Database, tmp_path: Path) -> None:
    async with judged(database, tmp_path) as group:
        claim = await group.bob.send(group.general, "A node is a thread.")
        shown = await group.ann.context_menu(group.general, wording.MENU_TITLE, claim)
        assert shown.modal is not None
        field = shown.modal["components"][0]["component"]["custom_id"]
        sent = await group.ann.submit_modal(shown, {field: "is that so?"})
        await group.settle()

        assert sent.response is not None
        assert "You asked: is that so?" in words_of(sent.response.message)
        assert group.parts.agent.asked[0].selected_text == "A node is a thread."


async def test_sources_and_verdicts_work_by_their_buttons(database: Database, tmp_path: Path) -> None:
    async with judged(database, tmp_path, cited("Topics carry messages [1][2].", 1, 2)) as group:
        thread = await group.ask("What is a topic?")
        answer = group.said(thread)[0]
        read = await group.ann.click(answer, label="Source 2")
        up = next(each for each in custom_ids(answer) if each.startswith("fn:up:"))
        voted = await group.bob.click(answer, custom_id=up)

        assert read.response is not None
        assert read.response.ephemeral
        assert "A topic is a named channel" in words_of(read.response.message)
        assert voted.response is not None
        assert wording.THANKS in words_of(voted.response.message)


async def test_direct_message_is_answered(database: Database, tmp_path: Path) -> None:
    async with judged(database, tmp_path) as group:
        await group.ann.send_dm("What is a node?")
        await group.settle()

        direct = group.ann.user.dm_channel
        assert "You asked: What is a node?" in words_of(group.said(direct)[0])


async def test_long_answer_is_accepted_in_parts(database: Database, tmp_path: Path) -> None:
    long = cited("\n\n".join(f"Paragraph {number}. " + "word " * 150 for number in range(10)) + " [1]", 1)
    async with judged(database, tmp_path, long) as group:
        thread = await group.ask("Tell me everything")

        shown = [words_of(message) for message in group.said(thread)]
        assert len(shown) >= 2
        assert "Paragraph 9." in "".join(shown)

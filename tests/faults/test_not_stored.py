"""A question that cannot be stored: its member is told so in words, and it is answered once when it can be."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, suppress
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from bot.adapters.slack.app import ASK_ABOUT
from bot.turns import Turns
from core.errors import ServiceDown
from core.store.database import Database, open_database
from core.store.files import DATABASE_NAME
from tests.bot.adapters.discord.stage import make_stage as make_discord_stage
from tests.bot.adapters.slack.stage import make_stage as make_slack_stage
from tests.bot.adapters.slack.stage import texts
from tests.bot.scripted import WAIT, to_incoming
from tests.empty_database import put_empty_database
from tests.fakes.discord import LocalDiscord
from tests.fakes.discord.checks import text_of
from tests.fakes.slack import LocalSlack
from tests.faults.test_database import fill_disk, free_disk
from tests.logged import fields

AWAY = "My memory cannot be reached right now"

Trouble = Callable[[Database, Turns], AbstractAsyncContextManager[None]]


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    """One that is told soon that another program does not let go."""
    path = await put_empty_database(tmp_path / DATABASE_NAME)
    async with open_database(path, busy_timeout_ms=20) as opened:
        yield opened


@asynccontextmanager
async def full_disk(database: Database, turns: Turns) -> AsyncIterator[None]:
    """The file cannot grow, and what room there is inside of it is used up, at last by short questions."""
    await fill_disk(database)
    for words in ("Why? " * 390, "Why?"):
        with suppress(ServiceDown):
            for number in count():
                await turns.receive(replace(to_incoming("e", words), event_id=f"{len(words)} {number}"))
    yield
    await free_disk(database)


@asynccontextmanager
async def locked(database: Database, turns: Turns) -> AsyncIterator[None]:
    """Another program is in the midst of writing."""
    opened = sqlite3.connect(database.path, timeout=WAIT, isolation_level=None, check_same_thread=False)
    with closing(opened) as other:
        # The bot may be writing itself just now, and needs the event loop to come to its end.
        await asyncio.to_thread(other.execute, "BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


REASONS: dict[Trouble, str] = {
    full_disk: "the disk is full",
    locked: "another program holds the database",
}
"""What the log says of each."""
TROUBLES = pytest.mark.parametrize("trouble", REASONS, ids=list(REASONS.values()))


@TROUBLES
async def test_on_discord_a_member_is_told_to_ask_again_and_is_answered_then(
    discord: LocalDiscord,
    database: Database,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    trouble: Trouble,
) -> None:
    stage = await make_discord_stage(discord, database, tmp_path)
    async with stage.bot():
        async with trouble(database, stage.turns):
            refused = await stage.ask()
            told = await discord.until_said(stage.general["id"], AWAY)
        again = await stage.ask()
        await discord.until_said(again["id"], "You asked: What is a node?")
        await stage.turns.wait_idle()

    assert "ask again" in text_of(told)
    assert any(str(reference) in text_of(told) for reference in fields(caplog, "reference"))
    assert REASONS[trouble] in caplog.text
    assert discord.said(refused["id"]) == []
    assert len(discord.said(again["id"])) == 1


@TROUBLES
async def test_on_slack_a_member_is_told_once_and_answered_once_when_slack_delivers_again(
    slack: LocalSlack,
    database: Database,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    trouble: Trouble,
) -> None:
    stage = await make_slack_stage(slack, database, tmp_path)
    async with stage.bot():
        async with trouble(database, stage.parts.turns):
            slack.sockets.ack_seconds = 1.0
            asked = stage.ask()
            told, *_ = await slack.until(lambda: slack.world.replies(stage.general, asked["ts"]))
            await asyncio.gather(*slack.people.deliveries)
        slack.sockets.ack_seconds = 60.0
        assert len(slack.sockets.unacked) == 2, "neither event of the mention was taken"
        delivered = [await slack.sockets.deliver(payload) for payload in slack.sockets.unacked]
        answer = await slack.reply(stage.general, asked["ts"], number=2)
        await stage.settled()

    assert AWAY in texts(told["blocks"])
    assert "ask again" in texts(told["blocks"])
    assert any(str(reference) in texts(told["blocks"]) for reference in fields(caplog, "reference"))
    assert REASONS[trouble] in caplog.text
    assert delivered == [True, True]
    assert "You asked: What is a node?" in texts(answer["blocks"])
    assert len(slack.world.replies(stage.general, asked["ts"])) == 2, "the excuse and the answer"
    assert slack.complaints == []


async def test_on_slack_a_command_and_a_form_that_cannot_be_stored_say_so_where_they_were_sent(
    slack: LocalSlack, database: Database, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stage = await make_slack_stage(slack, database, tmp_path)
    claim = slack.people.says(stage.bob, stage.general, "A topic is the same as a service.")
    async with stage.bot():
        await slack.people.uses_shortcut(stage.ann, stage.general, claim, ASK_ABOUT)
        view = await slack.until(lambda: next(iter(slack.world.views.values()), None))
        filled = {"question": {"question": {"type": "plain_text_input", "value": "Is that true?"}}}
        async with full_disk(database, stage.parts.turns):
            command = await slack.people.types(stage.ann, stage.general, "/ask", "What is a node?")
            form = await slack.people.submits(stage.ann, view, filled, team=slack.team.id)

    assert AWAY in command["payload"]["text"]
    assert AWAY in form["payload"]["errors"]["question"]
    assert [f"`{each}`" in command["payload"]["text"] for each in fields(caplog, "reference")][:1] == [True]

"""Lines typed into the channel, with an agent that does what it is told."""

import asyncio
import io
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from rich.console import Console

from bot import wording
from bot.cli.chat.room import hear
from bot.cli.chat.screen import Screen
from bot.cli.chat.seat import Seat
from bot.cli.printer import Printer
from core.errors import ServiceDown
from core.model import AskEvent, Question, Selection, Stage, StageEvent
from core.store.database import Database, open_database
from core.store.library import Library
from core.store.sessions import Sessions


class ScriptedAgent:
    """Raises what it was given; without an error it never ends."""

    def __init__(self, error: Exception | None = None) -> None:
        self.asked: list[Question] = []
        self.is_asked = asyncio.Event()
        self._error = error

    async def ask(self, question: Question) -> AsyncIterator[AskEvent]:
        self.asked.append(question)
        self.is_asked.set()
        yield StageEvent(Stage.RECEIVED)
        if self._error is not None:
            raise self._error
        await asyncio.Event().wait()


class SmallCore:
    """The parts of the core that a seat uses, without retrieval."""

    def __init__(self, database: Database, agent: ScriptedAgent) -> None:
        self.database = database
        self.agent = agent
        self.library = Library(database)
        self.sessions = Sessions(database, model="scripted")


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with open_database(tmp_path / "x.db") as opened:
        yield opened


def sit(database: Database, agent: ScriptedAgent) -> tuple[Seat, io.StringIO]:
    printer, shown = Printer(), io.StringIO()
    printer.out = Console(file=shown, width=100)
    printer.is_plain = printer.is_quiet = True
    return Seat(SmallCore(database, agent), Screen(printer)), shown  # type: ignore[arg-type]


async def test_failure_is_told_in_a_sentence_and_the_chat_goes_on(database: Database) -> None:
    seat, shown = sit(database, ScriptedAgent(ServiceDown("openai", "no route to host")))

    assert await hear(seat, "What is a topic?") is True

    assert "The answering model cannot be reached right now." in shown.getvalue()
    assert "no route" not in shown.getvalue()


async def test_question_that_is_too_long_is_told_with_the_limit(database: Database) -> None:
    seat, shown = sit(database, ScriptedAgent())

    await hear(seat, "x" * 2001)

    assert "2000" in shown.getvalue()


@pytest.mark.skipif(os.name != "posix", reason="signals are caught otherwise there")
async def test_ctrl_c_stops_the_answer_and_not_the_chat(database: Database) -> None:
    agent = ScriptedAgent()
    seat, shown = sit(database, agent)

    hearing = asyncio.create_task(hear(seat, "What is a topic?"))
    await asyncio.wait_for(agent.is_asked.wait(), 60)
    os.kill(os.getpid(), signal.SIGINT)

    assert await asyncio.wait_for(hearing, 60) is True
    assert "Stopped" in shown.getvalue()


async def test_reply_to_a_message_makes_it_the_selected_text(database: Database) -> None:
    agent = ScriptedAgent(ServiceDown("openai", "away"))
    seat, _ = sit(database, agent)

    await hear(seat, "Nodes share memory, do they?")
    await hear(seat, "/reply 1 Is that right?")

    assert agent.asked[1].selected_text == "Nodes share memory, do they?"
    assert agent.asked[1].selection is Selection.MESSAGE
    assert agent.asked[1].key == agent.asked[0].key


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        pytest.param("/threads", "There are no threads yet.", id="no threads"),
        pytest.param("/open 1", "Write /open N", id="no thread to open"),
        pytest.param("/history", "I remember no conversation here yet.", id="no history"),
        pytest.param("/forget", "There is nothing to forget", id="nothing to forget"),
        pytest.param("/sources", "That message has no sources.", id="no sources"),
        pytest.param("/reply Why?", "Write /reply N question", id="a reply to nothing"),
        pytest.param("/use nowhere", "There is no book “nowhere” here.", id="no such book"),
        pytest.param("/search ab", "at least 3", id="too few letters"),
    ],
)
async def test_what_cannot_be_done_is_said(database: Database, typed: str, told: str) -> None:
    seat, shown = sit(database, ScriptedAgent())

    assert await hear(seat, typed) is True

    assert told in shown.getvalue()


async def test_thanks_are_no_question(database: Database) -> None:
    agent = ScriptedAgent()
    seat, shown = sit(database, agent)

    await hear(seat, "thanks!")
    await hear(seat, "ok")

    assert shown.getvalue().strip() == wording.WELCOME
    assert not agent.asked


async def test_blank_line_says_nothing_and_quit_leaves(database: Database) -> None:
    seat, shown = sit(database, ScriptedAgent())

    assert await hear(seat, "   ") is True
    assert await hear(seat, "/quit") is False
    assert shown.getvalue() == ""

"""A process that is killed between two steps of a turn: the next one answers, and remembers the turn once."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from bot.limits import Allowance, Limits
from bot.turns import Turns
from core.agent import Agent
from core.model import Draft, Retrieval, Stage, StageEvent, Task, TextEvent
from core.store.database import Database
from core.store.ledger import Ledger
from core.store.library import Library
from core.store.opening import open_store
from core.store.sessions import Sessions
from core.store.turn import Outcome
from core.store.uses import Uses
from tests.bot.conftest import QUICK
from tests.bot.scripted import WAIT, ScriptedPlatform, to_incoming, to_key
from tests.core.answering.making import make_found
from tests.core.store.making import add_book

SAID = ("A node does one job.", "A topic has one type.")
CHILD = "import asyncio, sys\nfrom pathlib import Path\nfrom tests.bot import test_killed\n"


class CountingWriter:
    """Writes the same each time, and keeps what it was asked."""

    model = "scripted"

    def __init__(self) -> None:
        self.tasks: list[Task] = []

    async def write(self, task: Task) -> AsyncIterator[StageEvent | TextEvent | Draft]:
        self.tasks.append(task)
        yield StageEvent(Stage.RETRIEVING)
        yield Draft(
            text=f"{SAID[0]} [1]",
            chunks=make_found(SAID),
            answerability=0.9,
            model=self.model,
            retrievals=(Retrieval("node", 2, 0.9),),
            tokens_used=10,
        )


class StandingLedger(Ledger):
    """Stands still where the reply would be stored."""

    async def answered(self, turn_id: int, reply: Mapping[str, object], outcome: Outcome) -> None:
        sys.stdout.write("remembered\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


@asynccontextmanager
async def working(
    database: Database, ledger: Ledger, platform: ScriptedPlatform, writer: CountingWriter
) -> AsyncIterator[Turns]:
    agent = Agent(sessions=Sessions(database, model="scripted"), library=Library(database), writer=writer)
    limits = Limits(uses=Uses(database), allowance=Allowance())
    turns = Turns(agent=agent, ledger=ledger, limits=limits, rules=QUICK)
    turns.register("test", platform.open)
    async with asyncio.TaskGroup() as tasks:
        run = tasks.create_task(turns.run())
        yield turns
        run.cancel()


async def ask_and_stand_still(data_dir: Path) -> None:
    """Answer one question up to the moment after it is remembered."""
    async with open_store(data_dir) as database:
        await add_book(Library(database))
        async with working(database, StandingLedger(database), ScriptedPlatform(), CountingWriter()) as turns:
            await turns.receive(to_incoming("e1", "Why does it do one job?"))
            await turns.wait_idle()


async def killed_after_remembering(data_dir: Path) -> None:
    code = f"{CHILD}asyncio.run(test_killed.ask_and_stand_still(Path(sys.argv[1])))"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, str(data_dir), stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        assert await asyncio.wait_for(process.stdout.readline(), 30) == b"remembered\n"
    finally:
        process.send_signal(signal.SIGKILL)
        await process.communicate()


async def test_killed_between_remembering_and_storing_a_turn_is_remembered_once(tmp_path: Path) -> None:
    await killed_after_remembering(tmp_path)
    platform, writer = ScriptedPlatform(), CountingWriter()

    async with open_store(tmp_path) as database:
        sessions = Sessions(database, model="scripted")
        before = await sessions.find(to_key())
        async with working(database, Ledger(database), platform, writer) as turns:
            await turns.resume("test")
            await asyncio.wait_for(turns.wait_idle(), WAIT)
        after = await sessions.find(to_key())
        assert before is not None
        assert after is not None
        said = await sessions.messages(after.id, group=None)
        searched = await sessions.retrievals(after.id, group=None)
        used = await Uses(database).today(group="test:1")

    assert before.turn_count == 1, "it was killed after the turn was remembered"
    assert platform.text("e1").startswith(SAID[0])
    assert (after.turn_count, len(said), len(searched)) == (1, 2, 1)
    assert (used.questions, used.tokens) == (1, 10)
    assert writer.tasks[0].history.turns == (), "a question does not follow from itself"

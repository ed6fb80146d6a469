"""A database that cannot be written to, or comes from last year: what a member sees, and that nothing is lost."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from bot import wording
from core.errors import ServiceDown
from core.model import Question
from core.store.database import Database, open_database
from core.store.files import DATABASE_NAME
from core.store.ledger import Ledger
from core.store.library import Library
from core.store.opening import open_store
from core.store.schema import read_migrations
from core.store.sessions import Sessions
from core.store.uses import Uses
from tests.bot.conftest import QUICK, database, running_turns
from tests.bot.scripted import WAIT, ScriptedAgent, ScriptedPlatform, to_incoming, to_key

__all__ = ["database"]

PATIENT = replace(QUICK, retry_pauses=(0.01,) * 500)


async def fill_disk(database: Database) -> None:
    """The file may not grow by a single page any more, as on a full disk."""
    async with database.write() as tx:
        await tx.execute("PRAGMA max_page_count = 1")


async def free_disk(database: Database) -> None:
    async with database.write() as tx:
        await tx.execute("PRAGMA max_page_count = 1000000")


async def forbid_writing(database: Database) -> None:
    """As when the file system was mounted anew without the right to write."""
    async with database.write() as tx:
        await tx.execute("PRAGMA query_only = 1")


async def allow_writing(database: Database) -> None:
    # Not in a transaction: none can be begun.
    await database.write_one("PRAGMA query_only = 0")


async def test_on_a_full_disk_a_question_is_refused_in_words_and_taken_once_there_is_room(
    database: Database,
) -> None:
    agent, platform = ScriptedAgent(), ScriptedPlatform()
    long = to_incoming("e1", "Why? " * 390)
    async with running_turns(database, agent, platform) as turns:
        await fill_disk(database)
        # What room there is inside the file is used up first.
        with pytest.raises(ServiceDown, match="disk is full") as refused:
            await asyncio.gather(*(turns.receive(replace(long, event_id=f"full{number}")) for number in range(50)))
        await free_disk(database)
        await turns.receive(long)
        await asyncio.wait_for(turns.wait_idle(), WAIT)

    assert refused.value.details["problem"] == "full"
    assert "disk" not in wording.for_error(refused.value, reference="abc123"), "members are not told of disks"
    assert platform.text("e1")


async def test_on_a_read_only_disk_reading_goes_on_and_writing_is_refused_in_words(database: Database) -> None:
    sessions = Sessions(database, model="test")
    session = await sessions.open(Question("What is a node?", key=to_key()))
    await forbid_writing(database)

    with pytest.raises(ServiceDown, match="write permission") as refused:
        await sessions.open(Question("What is a node?", key=to_key(thread="another")))

    assert refused.value.details["problem"] == "read_only"
    assert (await sessions.get(session.id, group=to_key().group)).id == session.id


async def test_an_answer_that_cannot_be_stored_is_delivered_once_when_it_can(database: Database) -> None:
    agent, platform = ScriptedAgent(is_gated=True), ScriptedPlatform()
    async with running_turns(database, agent, platform, rules=PATIENT) as turns:
        await turns.receive(to_incoming("e1"))
        await asyncio.wait_for(agent.started.get(), WAIT)
        await forbid_writing(database)
        agent.release(500)
        async with asyncio.timeout(WAIT):
            while next(iter(turns._works.values())).retries < 2:  # noqa: ASYNC110 - nobody tells of a retry
                await asyncio.sleep(0.005)
        await allow_writing(database)
        await asyncio.wait_for(turns.wait_idle(), WAIT)

    assert len(platform.shown["e1"].replies) == 1
    assert await Ledger(database).open_turns("test") == []


class Clock:
    """Goes where it is told."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("jump", [-3600.0, -86_400.0, 3600.0], ids=["an hour back", "a day back", "an hour on"])
async def test_a_clock_that_jumps_locks_nobody_out(database: Database, jump: float) -> None:
    clock = Clock()
    uses = Uses(database, clock=clock)
    for _ in range(3):
        await uses.record_search(group="g", member_id="ann")
    assert await uses.wait_seconds(group="g", member_id="ann", limit=3, before=None) > 0
    clock.now += jump

    wait = await uses.wait_seconds(group="g", member_id="ann", limit=3, before=None)

    assert wait == 0


async def test_a_database_of_the_first_version_is_brought_forward_with_all_that_is_in_it(tmp_path: Path) -> None:
    path = tmp_path / DATABASE_NAME
    async with open_database(path, migrations=read_migrations()[:1]) as old, old.write() as tx:
        await tx.execute(
            "INSERT INTO books (id, title, created_at, updated_at) VALUES ('ros', 'Robots', 'x', 'x')"
        )
        await tx.execute(
            "INSERT INTO sessions (id, platform, group_key, channel, thread, model, created_at, updated_at) "
            "VALUES ('s', 'test', 'test:1', 'c1', 't1', 'm', '2025-01-01T00:00:00Z', '2025-01-01T00:00:00Z')"
        )

    agent, platform = ScriptedAgent(), ScriptedPlatform()
    async with open_store(tmp_path) as new:
        books = await Library(new).books(group="test:1")
        session = await Sessions(new, model="m").find(to_key())
        async with running_turns(new, agent, platform) as turns:
            await turns.receive(to_incoming("e1"))
            await asyncio.wait_for(turns.wait_idle(), WAIT)

    assert [book.title for book in books] == ["Robots"]
    assert session is not None
    assert session.id == "s"
    assert platform.text("e1")

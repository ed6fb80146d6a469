"""One writer at a time, readers that see only what was committed, and errors a person can act on."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import ServiceDown
from core.model import Question, SessionKey
from core.store.database import Database, open_database
from core.store.files import DATABASE_NAME, log_files
from core.store.sessions import Sessions

INSERT = "INSERT INTO books (id, title, created_at, updated_at) VALUES (?, 'A title', '', '')"


async def book_ids(database: Database) -> list[str]:
    return [row["id"] for row in await database.fetch_all("SELECT id FROM books ORDER BY id")]


async def test_reader_does_not_see_what_is_not_committed_yet(database: Database) -> None:
    async with database.write() as transaction:
        await transaction.execute(INSERT, ("a",))
        seen_inside = await transaction.fetch_all("SELECT id FROM books")
        seen_outside = await book_ids(database)

    assert len(seen_inside) == 1
    assert seen_outside == []
    assert await book_ids(database) == ["a"]


async def test_readers_go_on_beside_the_writer_and_deleted_words_are_overwritten(database: Database) -> None:
    async with database.write() as transaction:
        [overwrites] = await transaction.fetch_all("PRAGMA secure_delete")
        [journal] = await transaction.fetch_all("PRAGMA journal_mode")

    assert (journal[0], overwrites[0]) == ("wal", 1)


async def test_transaction_that_raises_leaves_nothing(database: Database) -> None:
    async def break_off() -> None:
        async with database.write() as transaction:
            await transaction.execute(INSERT, ("a",))
            raise RuntimeError("broken off")

    with pytest.raises(RuntimeError, match="broken off"):
        await break_off()

    assert await book_ids(database) == []


async def test_interleaved_writers_take_turns_and_lose_nothing(database: Database) -> None:
    async def add_two(number: int) -> None:
        async with database.write() as transaction:
            await transaction.execute(INSERT, (f"{number:02}a",))
            await asyncio.sleep(0)
            await transaction.execute(INSERT, (f"{number:02}b",))

    await asyncio.gather(*(add_two(number) for number in range(20)))

    assert len(await book_ids(database)) == 40


async def test_writer_that_is_cancelled_leaves_nothing_and_lets_the_next_one_write(database: Database) -> None:
    has_written = asyncio.Event()

    async def write_and_wait() -> None:
        async with database.write() as transaction:
            await transaction.execute(INSERT, ("cancelled",))
            has_written.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(write_and_wait())
    await asyncio.wait_for(has_written.wait(), 60)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with database.write() as transaction:
        await transaction.execute(INSERT, ("next",))

    assert await book_ids(database) == ["next"]


async def test_writer_cancelled_while_a_statement_runs_leaves_nothing(database: Database) -> None:
    """The statement goes on in the connection's thread after its task is gone; it is undone all the same."""
    slow = (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) "
        "INSERT INTO books (id, title, created_at, updated_at) SELECT i, 'A title', '', '' FROM n"
    )
    has_begun = asyncio.Event()

    async def write_much() -> None:
        async with database.write() as transaction:
            has_begun.set()
            await transaction.execute(slow)

    task = asyncio.create_task(write_much())
    await asyncio.wait_for(has_begun.wait(), 60)
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert await book_ids(database) == []


async def test_writer_waiting_for_its_turn_can_be_cancelled(database: Database) -> None:
    async with database.write() as transaction:
        waiting = asyncio.create_task(database.scrub())
        await asyncio.sleep(0)
        waiting.cancel()
        await transaction.execute(INSERT, ("a",))
    with pytest.raises(asyncio.CancelledError):
        await waiting

    assert await book_ids(database) == ["a"]


async def test_transaction_inside_another_is_refused_instead_of_waiting_forever(database: Database) -> None:
    async with database.write():
        with pytest.raises(RuntimeError, match="inside another"):
            async with database.write():
                pass


async def test_database_that_another_program_holds_is_named(tmp_path: Path) -> None:
    path = tmp_path / DATABASE_NAME
    async with open_database(path, busy_timeout_ms=1) as database:
        with closing(sqlite3.connect(path, isolation_level=None)) as intruder:
            intruder.execute("BEGIN IMMEDIATE")
            with pytest.raises(ServiceDown, match="another program holds the database"):
                await database.scrub()
            intruder.execute("ROLLBACK")
        async with database.write() as transaction:
            await transaction.execute(INSERT, ("a",))

        assert await book_ids(database) == ["a"]


async def test_deleted_words_are_scrubbed_after_a_crash_in_between(tmp_path: Path) -> None:
    path = tmp_path / DATABASE_NAME
    async with open_database(path) as database:
        session = await Sessions(database, model="").open(
            Question("What is a node?", key=SessionKey("test", "test:1", "c", "t"))
        )
        await database.write_one("DELETE FROM sessions WHERE id = ?", (session.id,))

    async with open_database(path) as database:
        assert await database.fetch_one("SELECT 1 FROM scrub_owed")
        await database.scrub_if_owed()
        assert not await database.fetch_one("SELECT 1 FROM scrub_owed")


async def test_our_own_mistakes_are_not_dressed_as_an_outage(database: Database) -> None:
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        await database.fetch_all("SELECT * FROM nonsense")


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda content: b"not a database at all" * 400, id="another file"),
        pytest.param(lambda content: content[:4096] + b"\xff" * 8192 + content[12288:], id="overwritten pages"),
        pytest.param(lambda content: content[: len(content) // 2], id="cut in half"),
    ],
)
async def test_damaged_file_is_refused_and_left_as_it_is(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    path = tmp_path / DATABASE_NAME
    async with open_database(path):
        pass
    damaged = damage(path.read_bytes())
    path.write_bytes(damaged)

    with pytest.raises(ServiceDown, match="footnote restore") as caught:
        async with open_database(path):
            pass

    assert caught.value.details["problem"] == "damaged"
    assert path.read_bytes() == damaged


async def test_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(ServiceDown, match="cannot be made"):
        async with open_database(tmp_path / "file" / "data" / DATABASE_NAME):
            pass


async def test_closing_leaves_a_single_file(tmp_path: Path) -> None:
    async with open_database(tmp_path / DATABASE_NAME) as database, database.write() as transaction:
        await transaction.execute(INSERT, ("a",))

    assert not any(log.exists() for log in log_files(tmp_path / DATABASE_NAME))

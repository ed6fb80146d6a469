"""What a process that is killed leaves behind: all of a transaction or none, and no lock."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from core.errors import DataInUse
from core.store.datalock import lock_data
from core.store.library import Library
from core.store.opening import open_store
from tests.core.store.making import add_book, store_file, words

HOLD = "import asyncio, sys\nfrom pathlib import Path\nfrom tests.core.store import test_crash\n"


async def store_and_wait(data_dir: Path) -> None:
    """Replace a file, but stand still between the deletion of the old chunks and the new ones."""
    async with open_store(data_dir) as database, database.write() as transaction:
        await transaction.execute("DELETE FROM lessons")
        await transaction.execute("INSERT INTO stale_points (chunk_id, book) VALUES ('x', 'ros')")
        sys.stdout.write("between\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


async def commit_and_wait(data_dir: Path) -> None:
    """Replace a file and stand still right after the commit, before anything is closed."""
    async with open_store(data_dir) as database:
        await store_file(Library(database), [words(7)])
        sys.stdout.write("committed\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


@asynccontextmanager
async def running(step: str, data_dir: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    """A process that stands still inside *step*; killed at the end."""
    code = f"{HOLD}asyncio.run(test_crash.{step}(Path(sys.argv[1])))"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, str(data_dir), stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        assert await asyncio.wait_for(process.stdout.readline(), 60), "it stopped before it stood still"
        yield process
    finally:
        process.send_signal(signal.SIGKILL)
        await process.communicate()


async def test_killed_between_two_statements_nothing_of_the_transaction_is_left(tmp_path: Path) -> None:
    async with open_store(tmp_path) as database:
        await add_book(Library(database))
        before = await store_file(Library(database), [words(1), words(2)])

    async with running("store_and_wait", tmp_path):
        pass

    async with open_store(tmp_path) as database:
        library = Library(database)
        assert set(await library.chunks(before.created)) == set(before.created)
        assert await library.stale() == []


async def test_killed_after_the_commit_everything_is_there(tmp_path: Path) -> None:
    async with open_store(tmp_path) as database:
        await add_book(Library(database))
        before = await store_file(Library(database), [words(1), words(2)])

    async with running("commit_and_wait", tmp_path):
        pass

    async with open_store(tmp_path) as database:
        library = Library(database)
        assert await library.chunks(before.created) == {}
        assert sorted(await library.stale()) == sorted(before.created)
        assert (await library.book("ros", group=None)).chunk_count == 1


async def test_second_process_is_told_which_one_holds_the_folder(tmp_path: Path) -> None:
    async with open_store(tmp_path) as database:
        await add_book(Library(database))

    async with running("commit_and_wait", tmp_path) as process:
        with pytest.raises(DataInUse, match=f"process {process.pid}") as caught, lock_data(tmp_path):
            pass

    assert caught.value.details == {"pid": process.pid}
    assert "FOOTNOTE_DATA_DIR" in caught.value.message
    with lock_data(tmp_path):
        pass


def test_folder_is_free_again_after_use_and_held_twice_never(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "there" / "yet"

    with lock_data(folder), pytest.raises(DataInUse), lock_data(folder):
        pass

    with lock_data(folder):
        pass

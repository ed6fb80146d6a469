"""A command can look into a folder that a bot works in, and leave it a job."""

import asyncio
import os
import stat
import sys
from pathlib import Path

import pytest

from core.errors import DataInUse, ServiceDown
from core.store.database import open_database
from core.store.files import DATABASE_NAME
from core.store.handover import cancel_job, queue_job
from core.store.jobs import Jobs, JobStatus
from core.store.library import Library
from core.store.opening import open_store, open_store_to_read
from core.store.schema import read_migrations
from tests.core.store.making import add_book


async def test_folder_in_use_can_be_read_and_shows_each_commit(tmp_path: Path) -> None:
    async with open_store(tmp_path) as database, open_store_to_read(tmp_path) as looking:
        before = await Library(looking).books(group=None)
        await add_book(Library(database))
        after = await Library(looking).books(group=None)

    assert (len(before), len(after)) == (0, 1)


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are kept otherwise there")
async def test_folder_that_we_make_is_for_its_owner_alone(tmp_path: Path) -> None:
    async with open_store(tmp_path / "data"):
        pass

    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700


async def test_who_only_looks_cannot_write(tmp_path: Path) -> None:
    async with open_store_to_read(tmp_path) as looking:
        with pytest.raises(ServiceDown, match="may not be written"):
            await add_book(Library(looking))


async def test_older_file_is_brought_forward_before_it_is_read(tmp_path: Path) -> None:
    async with open_database(tmp_path / DATABASE_NAME, migrations=read_migrations()[:1]):
        pass

    async with open_store_to_read(tmp_path) as looking:
        row = await looking.fetch_one("PRAGMA user_version")

    assert row is not None
    assert row[0] == len(read_migrations())


async def test_older_file_that_a_bot_works_with_is_left_to_it(tmp_path: Path) -> None:
    path = tmp_path / DATABASE_NAME
    async with open_store(tmp_path) as database:
        async with database.write() as transaction:
            await transaction.execute("PRAGMA user_version = 1")
        with pytest.raises(DataInUse):
            async with open_store_to_read(tmp_path):
                pass

    assert path.is_file()


async def test_job_left_from_outside_is_claimed_by_the_bot(tmp_path: Path) -> None:
    async with open_store(tmp_path) as database:
        jobs = Jobs(database)
        number = await asyncio.to_thread(
            queue_job, tmp_path, book="ros", source="/books/ros", mode="full", options={"title": "Robots"}
        )
        job = await jobs.claim()

        assert job is not None
        assert (job.id, job.book, job.mode, job.source) == (number, "ros", "full", "/books/ros")
        assert (job.options, job.requested_by) == ({"title": "Robots"}, "operator")


async def test_jobs_are_cancelled_from_outside(tmp_path: Path) -> None:
    async with open_store(tmp_path) as database:
        jobs = Jobs(database)
        await jobs.create(book="ros", source="x")
        running = await jobs.claim()
        queued = await jobs.create(book="ros", source="x")
        assert running is not None

        for job in (running, queued):
            await asyncio.to_thread(cancel_job, tmp_path, job.id)

        assert await jobs.progress(running) is True
        assert (await jobs.get(queued.id)).status is JobStatus.CANCELLED


def rights_in(folder: Path) -> dict[str, int]:
    """Who may do what with each file, as Unix writes it."""
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps rights in another way")
async def test_the_database_and_its_log_are_for_their_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        async with open_store(tmp_path):
            modes = rights_in(tmp_path)
    finally:
        os.umask(before)

    names = (DATABASE_NAME, f"{DATABASE_NAME}-wal", f"{DATABASE_NAME}-shm")
    assert {name: modes[name] for name in names} == dict.fromkeys(names, 0o600)

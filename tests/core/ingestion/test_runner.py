"""The queue is worked through while the bot runs, and what an earlier process left undone is finished first."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import pytest

from core.ingestion.runner import Runner
from core.store.job import Job, JobStatus
from tests.core.ingestion.workshop import BOOK, Workshop, lesson, passage

pytestmark = pytest.mark.asyncio(loop_scope="module")


@asynccontextmanager
async def running(workshop: Workshop) -> AsyncIterator[Callable[[], Awaitable[Job]]]:
    """A runner at work; calling what it gives waits for the next job to end."""
    done: asyncio.Queue[Job] = asyncio.Queue()
    runner = Runner(jobs=workshop.jobs, ingestion=workshop.ingestion, on_done=done.put_nowait)
    task = asyncio.create_task(runner.run())
    yield lambda: asyncio.wait_for(done.get(), 60)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def test_queued_jobs_are_done_in_turn(workshop: Workshop) -> None:
    workshop.write({"a.md": lesson(passage("gripper"))})
    for book in (BOOK, "other"):
        await workshop.jobs.create(book=book, source=str(workshop.source), options={"title": book.title()})

    async with running(workshop) as next_job:
        done = [await next_job(), await next_job()]

    assert [(job.book, job.status) for job in done] == [
        (BOOK, JobStatus.COMPLETED),
        ("other", JobStatus.COMPLETED),
    ]
    assert (await workshop.library.book("other", group=None)).title == "Other"
    await workshop.check_all_is_well()
    await workshop.check_all_is_well("other")


async def test_an_interrupted_job_is_taken_up_at_the_next_start(workshop: Workshop) -> None:
    workshop.write({"a.md": lesson(passage("gripper"))})
    await workshop.jobs.create(book=BOOK, source=str(workshop.source))
    await workshop.jobs.claim()

    async with running(workshop) as next_job:
        assert (await next_job()).status is JobStatus.COMPLETED

    await workshop.check_all_is_well()


async def test_embeddings_that_are_owed_are_made_at_the_next_start(workshop: Workshop) -> None:
    workshop.write({"a.md": lesson(passage("gripper"), passage("wrist"))})
    await workshop.ingest()
    await workshop.library.mark_pending(await workshop.chunks())
    await workshop.index.delete_book(BOOK)

    async with running(workshop) as next_job:
        assert (await next_job()).status is JobStatus.COMPLETED

    await workshop.check_all_is_well()


async def test_a_book_that_is_whole_is_left_alone(workshop: Workshop) -> None:
    workshop.write({"a.md": lesson(passage("gripper"))})
    await workshop.ingest()

    assert await workshop.ingestion.recover() == 0


async def test_a_job_left_behind_that_asks_for_something_else_is_not_taken_for_the_new_one(
    workshop: Workshop,
) -> None:
    workshop.write({"a.md": lesson(passage("gripper"))})
    await workshop.ingest(base_url="https://old.example.org")
    left = await workshop.jobs.create(
        book=BOOK, source=str(workshop.source), options={"base_url": "https://old.example.org"}
    )

    job = await workshop.ingest(base_url="https://new.example.org")

    assert job.id != left.id
    [chunk] = (await workshop.chunks()).values()
    assert chunk.url.startswith("https://new.example.org")


async def test_a_job_left_behind_that_asks_for_the_same_is_taken_up(workshop: Workshop) -> None:
    workshop.write({"a.md": lesson(passage("gripper"))})
    left = await workshop.jobs.create(book=BOOK, source=str(workshop.source))

    job = await workshop.ingest()

    assert (job.id, job.status) == (left.id, JobStatus.COMPLETED)

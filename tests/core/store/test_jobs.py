"""Jobs go one way, one at a time per book, and survive a restart."""

import asyncio
from dataclasses import replace

import pytest

from core.errors import LibraryError
from core.store.database import Database
from core.store.jobs import Job, Jobs, JobStatus


@pytest.fixture
def jobs(database: Database) -> Jobs:
    return Jobs(database)


async def running(jobs: Jobs, book: str = "ros") -> Job:
    await jobs.create(book=book, source="sample_book")
    job = await jobs.claim()
    assert job is not None
    return job


async def test_job_goes_from_the_queue_to_its_end(jobs: Jobs) -> None:
    queued = await jobs.create(book="ros", source="sample_book", mode="full", options={"title": "Robots"})
    claimed = await jobs.claim()
    assert claimed is not None
    counted = replace(claimed, files_total=3, files_processed=1, files_skipped=1, chunks_created=9)
    await jobs.progress(replace(counted, current_file="b.md"))
    seen = await jobs.get(queued.id)
    done = await jobs.finish(replace(counted, files_processed=2))

    assert (queued.status, queued.started_at, queued.options) == (JobStatus.QUEUED, None, {"title": "Robots"})
    assert (claimed.id, claimed.status) == (queued.id, JobStatus.RUNNING)
    assert (seen.files_processed, seen.current_file, seen.completed_at) == (1, "b.md", None)
    assert (done.status, done.files_processed, done.files_done, done.current_file) == ("completed", 2, 3, None)
    assert done.completed_at is not None
    assert done.duration_seconds is not None


async def test_oldest_job_is_claimed_first_and_only_once(jobs: Jobs) -> None:
    created = [await jobs.create(book=book, source="x") for book in ("a", "b", "c")]

    claimed = await asyncio.gather(*(jobs.claim() for _ in range(5)))

    assert sorted(job.id for job in claimed if job) == [job.id for job in created]


async def test_two_jobs_never_work_on_one_book(jobs: Jobs) -> None:
    first = await running(jobs)
    second = await jobs.create(book="ros", source="x")
    other = await jobs.create(book="other", source="x")

    assert await jobs.claim(second.id) is None
    assert (await jobs.claim() or first).id == other.id
    await jobs.finish(first)
    assert (await jobs.claim() or first).id == second.id


async def test_failed_job_says_why_and_names_the_broken_files(jobs: Jobs) -> None:
    job = await running(jobs)
    await jobs.add_error(job.id, "b.md", "It is not text.")
    await jobs.add_error(job.id, "b.md", "It is empty.")

    failed = await jobs.fail(job, "The folder is gone.")

    assert (failed.status, failed.error_message) == (JobStatus.FAILED, "The folder is gone.")
    assert [(error.source_file, error.message) for error in failed.errors] == [("b.md", "It is empty.")]


async def test_queued_job_is_cancelled_at_once_and_a_running_one_is_told(jobs: Jobs) -> None:
    job = await running(jobs)
    queued = await jobs.create(book="ros", source="x")

    assert (await jobs.cancel(queued.id)).status is JobStatus.CANCELLED
    assert await jobs.progress(job) is False
    assert (await jobs.cancel(job.id)).status is JobStatus.RUNNING
    assert await jobs.progress(job) is True
    assert (await jobs.stopped(job)).status is JobStatus.CANCELLED


async def test_job_that_is_over_stays_as_it_ended(jobs: Jobs) -> None:
    job = await running(jobs)
    await jobs.fail(job, "The folder is gone.")

    await jobs.progress(replace(job, files_processed=7))
    await jobs.cancel(job.id)
    again = await jobs.finish(job)

    assert (again.status, again.files_processed) == (JobStatus.FAILED, 0)
    assert await jobs.claim() is None


async def test_job_of_a_process_that_died_is_queued_again_unless_it_was_cancelled(jobs: Jobs) -> None:
    died = await running(jobs, "a")
    cancelled = await running(jobs, "b")
    await jobs.cancel(cancelled.id)

    assert await jobs.requeue_interrupted() == 2

    assert (await jobs.get(cancelled.id)).status is JobStatus.CANCELLED
    assert (await jobs.claim() or cancelled).id == died.id


async def test_group_sees_only_its_own_jobs(jobs: Jobs) -> None:
    mine = await jobs.create(book="a", source="x", group="slack:T1")
    theirs = await jobs.create(book="b", source="x", group="slack:T2")

    assert [job.id for job in await jobs.list(group="slack:T1")] == [mine.id]
    assert [job.id for job in await jobs.list()] == [theirs.id, mine.id]
    with pytest.raises(LibraryError):
        await jobs.get(theirs.id, group="slack:T1")
    with pytest.raises(LibraryError):
        await jobs.cancel(theirs.id, group="slack:T1")


async def test_job_is_told_in_the_words_of_the_contract(jobs: Jobs) -> None:
    told = (await running(jobs)).to_dict()

    assert {
        "job_id",
        "book_id",
        "mode",
        "status",
        "files_processed",
        "files_skipped",
        "files_failed",
        "chunks_created",
        "chunks_deleted",
        "started_at",
        "completed_at",
        "duration_seconds",
        "error_message",
    } <= set(told)
    assert (told["book_id"], told["status"], told["completed_at"]) == ("ros", "running", None)

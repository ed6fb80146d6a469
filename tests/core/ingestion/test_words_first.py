"""With a slow embedder a book is found by words first, says so, and meaning follows."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from core.ingestion.request import Mode
from core.store.job import Job, JobStatus
from tests.core.ingestion.workshop import BOOK, Workshop, lesson, passage
from tests.fakes.letters_embedder import LettersEmbedder

pytestmark = pytest.mark.asyncio(loop_scope="module")

SLOW = 0.006
"""Seconds per chunk: just too slow to be asked at once."""


@pytest.fixture
def embedder() -> LettersEmbedder:
    return LettersEmbedder(seconds=SLOW)


def write_three(workshop: Workshop) -> None:
    workshop.write({f"{word}.md": lesson(passage(word)) for word in ("gripper", "wrist", "elbow")})


PROBED = 1 + 3
"""How many of three texts are embedded to find out that it is slow."""


@asynccontextmanager
async def standing_still(
    workshop: Workshop, embedder: LettersEmbedder, mode: Mode = Mode.INCREMENTAL, *, after: int = PROBED
) -> AsyncIterator[asyncio.Task[Job]]:
    """An ingestion whose words are in while its first embedding takes for ever."""
    embedder.stops_after = after
    running = asyncio.create_task(workshop.ingest(mode))
    async with asyncio.timeout(60):
        await embedder.stands_still.wait()
    yield running


async def test_a_book_is_found_by_words_before_it_is_embedded(
    workshop: Workshop, embedder: LettersEmbedder
) -> None:
    write_three(workshop)

    async with standing_still(workshop, embedder) as running:
        [job] = await workshop.jobs.list(book=BOOK)

        assert job.is_embedding
        assert (job.chunks_to_embed, job.chunks_embedded) == (3, 0)
        assert (await workshop.library.book(BOOK, group=None)).pending_count == 3
        assert len(await workshop.found_by_words("gripper")) == 1
        assert await workshop.found_by_meaning() == set()
        embedder.may_go_on.set()
        done = await running
    assert (done.status, done.chunks_embedded) == (JobStatus.COMPLETED, 3)
    await workshop.check_all_is_well()


async def test_a_passage_that_only_moved_is_not_embedded_again(
    workshop: Workshop, embedder: LettersEmbedder
) -> None:
    write_three(workshop)
    await workshop.ingest()
    asked = len(embedder.embedded)
    workshop.write({"gripper.md": lesson(passage("gripper"), lesson=7)})

    job = await workshop.ingest(Mode.FULL)

    assert (job.chunks_created, job.chunks_deleted, job.chunks_to_embed) == (1, 1, 0)
    assert len(embedder.embedded) == asked
    await workshop.check_all_is_well()


async def test_an_embedder_that_gives_up_leaves_the_words_and_the_next_run_goes_on(
    workshop: Workshop, embedder: LettersEmbedder
) -> None:
    write_three(workshop)
    embedder.is_down = True

    failed = await workshop.ingest()

    assert failed.status is JobStatus.FAILED
    assert "away" in (failed.error_message or "")
    assert len(await workshop.found_by_words("wrist")) == 1
    embedder.is_down = False
    assert (await workshop.ingest()).chunks_embedded == 3
    await workshop.check_all_is_well()


async def test_a_cancelled_job_stops_and_another_one_finishes_its_work(
    workshop: Workshop, embedder: LettersEmbedder
) -> None:
    write_three(workshop)
    async with standing_still(workshop, embedder, after=0) as running:
        [job] = await workshop.jobs.list(book=BOOK)
        await workshop.jobs.cancel(job.id)
        embedder.may_go_on.set()

        stopped = await running

    assert (stopped.status, stopped.chunks_embedded) == (JobStatus.CANCELLED, 0)
    await workshop.check_chains()
    assert (await workshop.ingest()).chunks_embedded == 3
    await workshop.check_all_is_well()


async def test_two_ingestions_of_one_book_do_not_collide(workshop: Workshop, embedder: LettersEmbedder) -> None:
    write_three(workshop)
    async with standing_still(workshop, embedder) as running:
        second = await workshop.ingest(Mode.FULL)

        assert second.status is JobStatus.QUEUED
        embedder.may_go_on.set()
        assert (await running).status is JobStatus.COMPLETED
    await workshop.check_all_is_well()


async def test_a_stopped_process_leaves_a_job_that_goes_on_where_it_was(
    workshop: Workshop, embedder: LettersEmbedder
) -> None:
    write_three(workshop)
    async with standing_still(workshop, embedder, Mode.FULL) as running:
        [job] = await workshop.jobs.list(book=BOOK)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert (await workshop.jobs.get(job.id)).status is JobStatus.RUNNING
    embedder.stops_after = None

    assert await workshop.jobs.requeue_interrupted() == 1
    resumed = await workshop.ingest(Mode.FULL)

    assert (resumed.id, resumed.status) == (job.id, JobStatus.COMPLETED)
    assert (resumed.files_skipped, resumed.files_processed) == (3, 0)
    await workshop.check_all_is_well()

"""A book belongs to one embedding model, moves to another without a gap, and its index can be made anew."""

from pathlib import Path

import pytest

from core.errors import ServiceDown
from core.ingestion.reading import Reading
from core.ingestion.request import Mode
from core.model import Filters
from core.store.job import JobStatus
from tests.core.ingestion.workshop import BOOK, Workshop, lesson, open_workshop, passage
from tests.fakes.letters_embedder import LettersEmbedder

pytestmark = pytest.mark.asyncio(loop_scope="module")


def write_two(workshop: Workshop) -> None:
    workshop.write({"a.md": lesson(passage("gripper"), passage("wrist")), "b.md": lesson(passage("elbow"))})


async def test_a_book_remembers_its_model(workshop: Workshop) -> None:
    write_two(workshop)

    await workshop.ingest()

    book = await workshop.library.book(BOOK, group=None)
    assert (book.embedding_model, book.dimension) == ("letters", 8)


async def test_another_model_is_refused_with_the_command_that_helps(workshop: Workshop) -> None:
    write_two(workshop)
    await workshop.ingest()
    other = LettersEmbedder(model="other", dimension=16)
    index = await workshop.index.in_space("other", 16)
    renewed = workshop.with_embedder(other, index)

    job = await renewed.ingest()

    assert job.status is JobStatus.FAILED
    assert f"footnote reindex --book {BOOK}" in (job.error_message or "")
    assert await workshop.found_by_meaning() == set(await workshop.chunks())


@pytest.mark.parametrize("step", ["reindex", "recreate"])
async def test_a_book_moves_to_another_model(workshop: Workshop, step: str) -> None:
    write_two(workshop)
    await workshop.ingest()
    before = await workshop.chunks()
    other = LettersEmbedder(model="other", dimension=16)
    renewed = workshop.with_embedder(other, await workshop.index.in_space("other", 16))

    job = await (renewed.ingestion.reindex(BOOK) if step == "reindex" else renewed.ingest(Mode.RECREATE))

    assert job.status is JobStatus.COMPLETED
    assert set(await renewed.chunks()) == set(before)
    assert (await renewed.library.book(BOOK, group=None)).embedding_model == "other"
    await renewed.check_all_is_well()
    assert (await renewed.ingest()).files_skipped == 2


async def test_a_model_is_forgotten_with_the_last_book_that_used_it(workshop: Workshop) -> None:
    write_two(workshop)
    await workshop.ingest()
    await workshop.ingest(book="other")
    other = LettersEmbedder(model="other", dimension=16)
    renewed = workshop.with_embedder(other, await workshop.index.in_space("other", 16))

    await renewed.ingestion.reindex(BOOK)
    assert await workshop.found_by_meaning("other") == set(await workshop.chunks("other"))

    await renewed.ingestion.reindex("other")
    again = await workshop.index.in_space("letters", 8)
    assert await again.embeddings(sorted(await workshop.chunks("other"))) == {}


async def test_a_lost_entry_is_found_missing_and_put_back(workshop: Workshop) -> None:
    write_two(workshop)
    await workshop.ingest()
    lost = sorted(await workshop.chunks())[0]
    await workshop.index.delete([lost])

    job = await workshop.ingest()

    assert job.status is JobStatus.COMPLETED
    await workshop.check_all_is_well()


async def test_entries_nobody_knows_are_removed(workshop: Workshop) -> None:
    write_two(workshop)
    await workshop.ingest()
    await workshop.library.delete_book(BOOK)
    await workshop.library.clear_stale(await workshop.library.stale())

    await workshop.ingest(Mode.FULL)

    await workshop.check_all_is_well()


async def test_what_was_deleted_meanwhile_leaves_the_index_at_the_next_start(workshop: Workshop) -> None:
    write_two(workshop)
    await workshop.ingest()
    await workshop.library.delete_book(BOOK)

    await workshop.ingestion.clear_leftovers()

    assert await workshop.index.count(Filters()) == 0
    assert await workshop.library.stale() == []


async def test_a_damaged_index_is_made_anew_from_the_library(tmp_path: Path, reading: Reading) -> None:
    async with open_workshop(tmp_path, reading=reading) as workshop:
        write_two(workshop)
        await workshop.ingest()
    spoil(tmp_path / "data" / "index")
    with pytest.raises(ServiceDown, match="footnote reindex"):
        async with open_workshop(tmp_path, reading=reading):
            pass

    async with open_workshop(tmp_path, reading=reading, is_fresh=True) as workshop:
        job = await workshop.ingestion.reindex(BOOK)

        assert (job.status, job.chunks_created) == (JobStatus.COMPLETED, 3)
        await workshop.check_all_is_well()


def spoil(folder: Path) -> None:
    for state in folder.rglob("segment.json"):
        state.write_text("{")

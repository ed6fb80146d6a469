"""A book goes in, changes, and goes on being found."""

from dataclasses import replace

import pytest

from core.ingestion.request import IngestRequest, Mode
from core.store.job import Job, JobStatus
from tests.core.ingestion.workshop import BOOK, Workshop, lesson, passage
from tests.fakes.letters_embedder import LettersEmbedder

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_book_is_found_by_words_and_by_meaning(workshop: Workshop) -> None:
    workshop.write(
        {"01-arms.md": lesson(passage("gripper"), passage("wrist")), "02-eyes.md": lesson("A camera sees.")}
    )

    job = await workshop.ingest()

    assert (job.status, job.files_total, job.files_processed) == (JobStatus.COMPLETED, 2, 2)
    assert job.chunks_created == len(await workshop.chunks()) == 3
    assert "gripper" in (await workshop.found_by_words("grippers"))[0]
    await workshop.check_all_is_well()


async def test_an_unchanged_book_is_not_read_again(workshop: Workshop, embedder: LettersEmbedder) -> None:
    workshop.write({"a.md": lesson(passage("gripper")), "b.md": lesson(passage("wrist"))})
    await workshop.ingest()
    before, embedded = await workshop.chunks(), len(embedder.embedded)

    job = await workshop.ingest()

    assert (job.files_skipped, job.files_processed, job.chunks_created, job.chunks_deleted) == (2, 0, 0, 0)
    assert await workshop.chunks() == before
    assert len(embedder.embedded) == embedded


async def test_only_the_changed_passage_changes_its_id(workshop: Workshop) -> None:
    workshop.write({"a.md": lesson(passage("gripper"), passage("wrist")), "b.md": lesson(passage("elbow"))})
    await workshop.ingest()
    before = await workshop.chunks()
    workshop.write({"a.md": lesson(passage("gripper"), passage("knuckle"))})

    job = await workshop.ingest()

    after = await workshop.chunks()
    assert (job.files_processed, job.chunks_created, job.chunks_deleted) == (1, 1, 1)
    assert len(set(before) & set(after)) == 2
    assert await workshop.found_by_words("wrist") == []
    assert len(await workshop.found_by_words("knuckle")) == 1
    await workshop.check_all_is_well()


async def test_a_deleted_file_goes_and_an_added_one_comes(workshop: Workshop) -> None:
    workshop.write({"a.md": lesson(passage("gripper")), "b.md": lesson(passage("wrist"))})
    await workshop.ingest()
    (workshop.source / "a.md").unlink()
    workshop.write({"c.md": lesson(passage("elbow"))})

    job = await workshop.ingest()

    assert (job.chunks_created, job.chunks_deleted) == (1, 1)
    assert await workshop.found_by_words("gripper") == []
    assert [entry.source_file for entry in await workshop.library.outline(BOOK)] == ["b.md", "c.md"]
    await workshop.check_all_is_well()


async def test_lessons_keep_their_ids_when_a_file_is_added_before_them(workshop: Workshop) -> None:
    workshop.write({"b.md": lesson(passage("wrist")), "c.md": lesson(passage("elbow"))})
    await workshop.ingest()
    before = await workshop.chunks()
    workshop.write({"a.md": lesson(passage("gripper")), "c.md": lesson(passage("elbow"), passage("knee"))})

    await workshop.ingest()

    assert set(before) < set(await workshop.chunks())
    assert [entry.source_file for entry in await workshop.library.outline(BOOK)] == ["a.md", "b.md", "c.md"]


async def test_two_lessons_may_change_places(workshop: Workshop) -> None:
    first, second = passage("gripper"), passage("wrist")
    workshop.write({"a.md": lesson(first, lesson=1), "b.md": lesson(second, lesson=2)})
    await workshop.ingest()
    workshop.write({"a.md": lesson(first, lesson=2), "b.md": lesson(second, lesson=1)})

    job = await workshop.ingest()

    assert job.errors == ()
    places = {chunk.source_file: chunk.place.lesson for chunk in (await workshop.chunks()).values()}
    assert places == {"a.md": 2, "b.md": 1}
    await workshop.check_all_is_well()


async def test_a_renamed_file_keeps_its_chunks(workshop: Workshop, embedder: LettersEmbedder) -> None:
    workshop.write({"a.md": lesson(passage("gripper"), lesson=1)})
    await workshop.ingest()
    before = set(await workshop.chunks())
    (workshop.source / "a.md").rename(workshop.source / "z.md")

    await workshop.ingest()

    after = await workshop.chunks()
    assert set(after) == before
    assert {chunk.source_file for chunk in after.values()} == {"z.md"}
    await workshop.check_all_is_well()


async def test_what_stands_above_a_file_may_change_without_it(workshop: Workshop) -> None:
    workshop.write({"part/_category_.json": '{"label": "Arms"}', "part/a.md": lesson(passage("gripper"))})
    await workshop.ingest()
    workshop.write({"part/_category_.json": '{"label": "Limbs"}'})

    await workshop.ingest()

    [chunk] = (await workshop.chunks()).values()
    assert chunk.breadcrumb.startswith("Limbs")


async def test_a_new_site_address_renews_the_links(workshop: Workshop) -> None:
    workshop.write({"a.md": lesson(passage("gripper"))})
    await workshop.ingest(base_url="https://old.example.org")

    await workshop.ingest(base_url="https://new.example.org/book")
    await workshop.ingest()

    [chunk] = (await workshop.chunks()).values()
    assert chunk.url.startswith("https://new.example.org/book/")


async def test_the_same_text_twice_stays_twice(workshop: Workshop) -> None:
    workshop.write({"a.md": lesson(passage("gripper"), passage("gripper"))})

    await workshop.ingest()

    chunks = await workshop.chunks()
    assert len(chunks) == 2
    await workshop.check_all_is_well()


async def test_one_broken_file_fails_alone_and_is_named(workshop: Workshop) -> None:
    workshop.write(
        {"a.md": lesson(passage("gripper")), "b.pdf": b"%PDF-1.7 broken", "c.md": lesson("A camera sees.")}
    )

    job = await workshop.ingest()

    assert (job.status, job.files_processed, job.files_failed) == (JobStatus.COMPLETED, 2, 1)
    assert [error.source_file for error in job.errors] == ["b.pdf"]
    assert len(await workshop.chunks()) == 2


async def test_a_file_that_breaks_later_keeps_what_was_read_of_it(workshop: Workshop) -> None:
    workshop.write({"a.md": lesson(passage("gripper")), "b.md": lesson(passage("wrist"))})
    await workshop.ingest()
    workshop.write({"b.md": bytes(range(256)) * 40})

    job = await workshop.ingest()

    assert job.files_failed == 1
    assert len(await workshop.found_by_words("wrist")) == 1
    await workshop.check_all_is_well()


@pytest.mark.parametrize("mode", [Mode.FULL, Mode.RECREATE])
async def test_every_file_is_read_again_when_asked(
    workshop: Workshop, embedder: LettersEmbedder, mode: Mode
) -> None:
    workshop.write({"a.md": lesson(passage("gripper")), "b.md": lesson(passage("wrist"))})
    await workshop.ingest()
    before = set(await workshop.chunks())

    job = await workshop.ingest(mode)

    assert (job.files_processed, job.chunks_created, job.chunks_deleted) == (2, 0, 0)
    assert set(await workshop.chunks()) == before
    await workshop.check_all_is_well()


async def test_a_source_that_is_gone_fails_and_changes_nothing(workshop: Workshop) -> None:
    workshop.write({"a.md": lesson(passage("gripper"))})
    await workshop.ingest()
    (workshop.source / "a.md").unlink()

    job = await workshop.ingest()

    assert job.status is JobStatus.FAILED
    assert "can be read as a book" in (job.error_message or "")
    assert len(await workshop.found_by_words("gripper")) == 1


async def test_books_do_not_touch_each_other(workshop: Workshop) -> None:
    workshop.write({"a.md": lesson(passage("gripper"))})
    await workshop.ingest()
    mine = await workshop.chunks()

    await workshop.ingest(book="other")

    assert await workshop.chunks() == mine
    assert not set(mine) & set(await workshop.chunks("other"))


async def test_a_book_of_another_owner_is_refused(workshop: Workshop) -> None:
    workshop.write({"a.md": lesson(passage("gripper"))})
    theirs = IngestRequest(str(workshop.source), BOOK, group="discord:1")
    await workshop.ingestion.ingest(theirs)

    job = await workshop.ingestion.ingest(replace(theirs, group="discord:2"))

    assert job.status is JobStatus.FAILED


async def test_progress_is_told_from_the_first_file_to_the_last(workshop: Workshop) -> None:
    workshop.write({f"{n:02}.md": lesson(passage(f"word{n}")) for n in range(5)})
    told: list[Job] = []

    job = await workshop.ingestion.ingest(IngestRequest(str(workshop.source), BOOK), on_progress=told.append)

    assert told[0].files_total == 5
    assert told[0].files_done == 0
    assert (await workshop.jobs.get(job.id)).files_done == 5

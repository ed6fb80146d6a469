"""A source of which nothing was touched is not even listed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.ingestion.discovery import OpenedBook, open_book, read_book
from core.ingestion.lesson import SourceFile
from core.ingestion.request import IngestRequest, Mode
from core.store.job import Job
from tests.core.ingestion.making import a_book
from tests.core.ingestion.workshop import BOOK, Workshop, lesson, passage

pytestmark = pytest.mark.asyncio(loop_scope="module")

FILES = {"one.md": lesson(passage("pulley")), "two.md": lesson(passage("lever"))}


async def take_in(
    workshop: Workshop,
    *,
    stamp: str,
    mode: Mode = Mode.INCREMENTAL,
    base_url: str | None = None,
    find_files: Callable[[], list[SourceFile]] | None = None,
) -> Job:
    """Take the source folder in as one that has this stamp."""
    request = IngestRequest(str(workshop.source), BOOK, mode=mode, base_url=base_url)
    reader, files = read_book(workshop.source)
    return await workshop.take_in(request, OpenedBook(reader, find_files or (lambda: files), stamp=stamp))


def must_not_be_listed() -> list[SourceFile]:
    raise AssertionError("the files were listed")


async def test_a_source_that_nobody_touched_is_not_listed(workshop: Workshop) -> None:
    workshop.write(FILES)
    await take_in(workshop, stamp="as it is")

    job = await take_in(workshop, stamp="as it is", find_files=must_not_be_listed)

    assert (job.files_total, job.files_skipped, job.files_processed) == (2, 2, 0)


async def test_a_touched_source_is_listed_and_only_what_changed_is_read(workshop: Workshop) -> None:
    workshop.write(FILES)
    await take_in(workshop, stamp="as it is")
    workshop.write({"two.md": lesson(passage("wheel"))})

    job = await take_in(workshop, stamp="touched")

    assert (job.files_skipped, job.files_processed) == (1, 1)


async def test_a_source_without_a_stamp_is_listed_every_time(workshop: Workshop) -> None:
    workshop.write(FILES)
    await take_in(workshop, stamp="")

    with pytest.raises(AssertionError, match="were listed"):
        await take_in(workshop, stamp="", find_files=must_not_be_listed)


@pytest.mark.parametrize(
    ("mode", "base_url"),
    [
        pytest.param(Mode.FULL, None, id="everything shall be read"),
        pytest.param(Mode.RECREATE, None, id="the book shall be made anew"),
        pytest.param(Mode.INCREMENTAL, "https://book.example", id="the book has moved"),
    ],
)
async def test_an_untouched_source_is_read_where_that_is_asked_for(
    workshop: Workshop, mode: Mode, base_url: str | None
) -> None:
    workshop.write(FILES)
    await take_in(workshop, stamp="as it is")

    job = await take_in(workshop, stamp="as it is", mode=mode, base_url=base_url)

    assert job.files_processed == 2


async def test_a_source_with_a_file_that_failed_is_tried_again(workshop: Workshop) -> None:
    workshop.write({**FILES, "broken.pdf": b"no PDF at all, and long enough to be looked at"})
    await take_in(workshop, stamp="as it is")

    job = await take_in(workshop, stamp="as it is")

    assert job.files_failed == 1


async def test_a_run_that_was_interrupted_leaves_no_stamp(workshop: Workshop) -> None:
    workshop.write(FILES)
    await take_in(workshop, stamp="as it is")
    with pytest.raises(AssertionError, match="were listed"):
        await take_in(workshop, stamp="touched", find_files=must_not_be_listed)

    with pytest.raises(AssertionError, match="were listed"):
        await take_in(workshop, stamp="as it is", find_files=must_not_be_listed)


async def test_a_folder_whose_files_were_just_written_has_no_stamp(tmp_path: Path) -> None:
    a_book(tmp_path / "book", {"one.md": "# One\n\nWords enough."})

    async with open_book(str(tmp_path / "book"), scratch=tmp_path / "scratch") as opened:
        assert opened.stamp == ""


async def test_a_folder_at_rest_has_a_stamp_and_so_have_its_files(tmp_path: Path) -> None:
    decisions = Path(__file__).parents[3] / "docs" / "adr"

    async with open_book(str(decisions), scratch=tmp_path) as opened:
        assert opened.stamp
        assert all(file.stamp for file in opened.files)

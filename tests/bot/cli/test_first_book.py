"""The sample book comes in once, whole, and does not come back uninvited."""

from pathlib import Path

from bot.cli.first_book import SAMPLE_ID, ensure_book
from bot.cli.printer import Printer
from core.store.job import JobStatus
from core.wiring import open_core
from tests.bot.cli.tiny import quick


async def test_start_that_was_broken_off_is_finished_by_the_next(data_dir: Path) -> None:
    async with open_core(quick(data_dir)) as core:
        broken_off = await core.jobs.create(book=SAMPLE_ID, source="elsewhere", mode="incremental")
        await core.jobs.claim(broken_off.id)

    async with open_core(quick(data_dir)) as core:
        await ensure_book(core, Printer())
        (book,) = await core.library.books(group=None)
        (latest, *_) = await core.jobs.list(book=SAMPLE_ID)

    assert latest.status is JobStatus.COMPLETED
    assert book.title.startswith("Physical AI")
    assert book.lesson_count > 20


async def test_whoever_removed_the_sample_book_does_not_get_it_back(data_dir: Path) -> None:
    async with open_core(quick(data_dir)) as core:
        await ensure_book(core, Printer())
        await core.library.delete_book(SAMPLE_ID)

        await ensure_book(core, Printer())

        assert await core.library.books(group=None) == []

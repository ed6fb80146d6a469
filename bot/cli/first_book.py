"""The sample book for a library that has none, so that the first question has something to be answered from."""

from pathlib import Path
from typing import TYPE_CHECKING

from bot.cli.printer import Printer
from bot.cli.progress import progress_bar
from core.ingestion.request import IngestRequest
from core.model import LOCAL_GROUP
from core.store.job import JobStatus

if TYPE_CHECKING:
    from core.wiring import Core

SAMPLE_BOOK = Path(__file__).parents[2] / "sample_book"
SAMPLE_ID = "physical-ai"
SAMPLE_TITLE = "Physical AI and Robotics: a short course"


async def ensure_book(core: "Core", printer: Printer) -> None:
    """Take the sample book in if there is no book to ask about, or go on where an earlier start was broken off."""
    if not SAMPLE_BOOK.is_dir() or not await _is_wanted(core):
        return
    printer.note("Reading the sample book, once …")
    with progress_bar(printer) as show:
        await core.ingestion.ingest(
            IngestRequest(str(SAMPLE_BOOK), SAMPLE_ID, title=SAMPLE_TITLE), on_progress=show
        )


async def _is_wanted(core: "Core") -> bool:
    """Whoever removed the sample book does not want it back."""
    books = {book.id for book in await core.library.books(group=LOCAL_GROUP)}
    latest = await core.jobs.list(book=SAMPLE_ID, limit=1)
    was_read = bool(latest) and latest[0].status is JobStatus.COMPLETED
    return books <= {SAMPLE_ID} and not was_read

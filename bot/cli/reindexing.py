"""`footnote reindex`: the search index made anew from the library."""

from typing import Annotated

import typer

from bot.cli.doing import FAILED, do
from bot.cli.handing import followed
from bot.cli.neighbour import check_serves
from bot.cli.options import Json
from bot.cli.printer import Printer
from bot.cli.progress import Show, progress_bar
from core.errors import DataInUse
from core.ingestion.request import REINDEX
from core.model import Book
from core.settings import Settings
from core.store.job import Job, JobStatus


def reindex(
    name: Annotated[str | None, typer.Argument(metavar="BOOK", help="Only this book; by default all.")] = None,
    book: Annotated[str | None, typer.Option("--book", metavar="BOOK", help="The same.")] = None,
    is_json: Json = False,
) -> None:
    """Make the search index anew.

    Needed after a restore, with a damaged index, or to move a book to another embedding model.

    \b
    Examples:
      footnote reindex
      FOOTNOTE_EMBEDDER=cohere footnote reindex robots
    """
    printer = Printer(is_json=is_json)

    async def work(settings: Settings) -> int:
        with progress_bar(printer) as show:
            jobs = await _reindexed(name or book, settings, show)
        if printer.is_json:
            printer.document({"jobs": [job.to_dict() for job in jobs]})
        for job in jobs:
            printer.line(f"{job.book}: {job.error_message or _told(job)}")
        return 0 if all(job.status is JobStatus.COMPLETED for job in jobs) else FAILED

    do(work, printer)


def _told(job: Job) -> str:
    return f"{job.chunks_created} passages were missing in the index; all can be found now."


async def _reindexed(book_id: str | None, settings: Settings, show: Show) -> list[Job]:
    from core.wiring import open_core

    books = await _wanted(book_id, settings)
    try:
        # With every book to come, nothing of the old index is needed, and it may be damaged.
        async with open_core(settings, is_index_fresh=book_id is None) as core:
            return [await core.ingestion.reindex(book.id, on_progress=show) for book in books]
    except DataInUse as in_use:
        check_serves(settings, in_use)
        return [await _handed_over(book, settings, show) for book in books]


async def _handed_over(book: Book, settings: Settings, show: Show) -> Job:
    return await followed(settings, show, book=book.id, source=book.source or "", mode=REINDEX, group=book.group)


async def _wanted(book_id: str | None, settings: Settings) -> list[Book]:
    from core.store.library import Library
    from core.store.opening import open_store_to_read

    async with open_store_to_read(settings.data_dir) as database:
        library = Library(database)
        return [await library.book(book_id, group=None)] if book_id else await library.books(group=None)

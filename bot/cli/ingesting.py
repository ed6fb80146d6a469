"""`footnote ingest`: a book into the library, by this command or by the bot that already runs."""

import re
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from bot.cli.doing import FAILED, do
from bot.cli.handing import handed_over
from bot.cli.neighbour import check_serves
from bot.cli.options import Json
from bot.cli.printer import Printer
from bot.cli.progress import Show, progress_bar
from core.errors import DataInUse, LibraryError, QuestionError, UnknownBook
from core.ingestion.request import IngestRequest, Mode
from core.settings import Settings
from core.store.job import Job, JobStatus

_ID = re.compile(r"[A-Za-z0-9][\w.-]{0,99}", re.ASCII)


def ingest(
    source: Annotated[str, typer.Argument(metavar="PATH", help="A folder, a file, a zip or a web address.")],
    *,
    book: Annotated[
        str | None, typer.Option("--book", metavar="ID", help="The book's id; by default the name of PATH.")
    ] = None,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="The title members read.")] = None,
    mode: Annotated[
        Mode,
        typer.Option("--mode", help="incremental: what changed; full: every file; recreate: as if it were new."),
    ] = Mode.INCREMENTAL,
    base_url: Annotated[
        str | None,
        typer.Option(
            "--base-url", metavar="URL", help="Address of the book's site, so that footnotes link to it."
        ),
    ] = None,
    group: Annotated[
        str | None,
        typer.Option(
            "--group",
            metavar="GROUP",
            help='Only this group may read it ("discord:123", "slack:T1"); default: everyone.',
        ),
    ] = None,
    is_json: Json = False,
) -> None:
    """Take a book into the library, or bring it up to date.

    \b
    Examples:
      footnote ingest sample_book --book robots --title "Physical AI"
      footnote ingest books/rust --book rust --base-url https://example.org --json

    While the bot runs, it does the work and this command follows it. Ctrl-C is safe: what was taken in stays,
    and the next run goes on from there.
    """
    printer = Printer(is_json=is_json)

    async def work(settings: Settings) -> int:
        from bot.cli.jobs import print_job

        book_id = _checked(book) if book else _to_id(source)
        owner = group or await _owner(settings, book_id)
        request = IngestRequest(_found(source), book_id, title, mode, base_url, owner, requested_by="operator")
        with progress_bar(printer) as show:
            job = await _ingested(request, settings, show)
        print_job(job, printer)
        await _point_to_remarks(book_id, settings, printer)
        return 0 if job.status is JobStatus.COMPLETED else FAILED

    do(work, printer)


async def _ingested(request: IngestRequest, settings: Settings, show: Show) -> Job:
    from core.wiring import open_core

    try:
        async with open_core(settings) as core:
            return await core.ingestion.ingest(request, on_progress=show)
    except DataInUse as in_use:
        check_serves(settings, in_use)
        return await handed_over(request, settings, show)


async def _point_to_remarks(book_id: str, settings: Settings, printer: Printer) -> None:
    from core.store.library import Library
    from core.store.opening import open_store_to_read

    async with open_store_to_read(settings.data_dir) as database:
        count = len(await Library(database).remarks(book_id))
    if count:
        noticed = "One thing was" if count == 1 else f"{count} things were"
        printer.note(f"{noticed} noticed in its files. To see: footnote books show {book_id}")


async def _owner(settings: Settings, book_id: str) -> str | None:
    """Who owns the book already; renewing it does not change that."""
    from core.store.library import Library
    from core.store.opening import open_store_to_read

    async with open_store_to_read(settings.data_dir) as database:
        try:
            return (await Library(database).book(book_id, group=None)).group
        except UnknownBook:
            return None


def _found(source: str) -> str:
    """The source so that a bot started in another folder finds it too.

    Raises:
        LibraryError: there is nothing at that path.
    """
    if urlsplit(source).scheme in {"http", "https"}:
        return source
    path = Path(source).expanduser().absolute()
    if not path.exists():
        raise LibraryError(f"There is no file or folder {source}.", details={"source": source})
    return str(path)


def _checked(book_id: str) -> str:
    """An id that can stand in addresses, commands and folder names.

    Raises:
        QuestionError: it cannot; the message says which could.
    """
    if not _ID.fullmatch(book_id):
        raise QuestionError(
            f"A book's id may have letters, digits, and - _ . after the first. Try: --book {_to_id(book_id)}",
            details={"field": "book", "found": book_id},
        )
    return book_id


def _to_id(source: str) -> str:
    """A book's id from the last word of its path or address."""
    parts = urlsplit(source)
    name = Path(parts.path).stem or parts.hostname or Path(source).absolute().stem
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "book"

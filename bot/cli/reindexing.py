"""`footnote reindex`: the search index made anew from the library."""

from typing import Annotated

import typer

from bot.cli.doing import do
from bot.cli.options import Json
from bot.cli.printer import Printer
from bot.cli.progress import progress_bar
from core.settings import Settings


def reindex(
    book: Annotated[
        str | None, typer.Option("--book", metavar="BOOK", help="Only this book; by default all of them.")
    ] = None,
    is_json: Json = False,
) -> None:
    """Make the search index anew.

    Needed after a restore, with a damaged index, or to move a book to another embedding model.

    \b
    Examples:
      footnote reindex
      FOOTNOTE_EMBEDDER=cohere footnote reindex --book robots
    """
    printer = Printer(is_json=is_json)

    async def work(settings: Settings) -> None:
        from core.wiring import open_core

        async with open_core(settings) as core:
            with progress_bar(printer) as show:
                ids = [book] if book else [each.id for each in await core.library.books(group=None)]
                jobs = [await core.ingestion.reindex(each, on_progress=show) for each in ids]
        if printer.is_json:
            printer.document({"jobs": [job.to_dict() for job in jobs]})
        for job in jobs:
            printer.line(f"{job.book}: {job.chunks_created} passages.")

    do(work, printer)

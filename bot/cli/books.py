"""`footnote books`: what the library holds."""

from typing import Annotated

import typer

from bot.cli.doing import be_sure, do
from bot.cli.options import Json, Sure
from bot.cli.printer import Printer
from core.model import Book
from core.settings import Settings

BookId = Annotated[str, typer.Argument(metavar="BOOK", help="The book's id.")]


def make_app() -> typer.Typer:
    app = typer.Typer(
        help="Show and remove books.",
        invoke_without_command=True,
        epilog="footnote books · footnote books show robots · footnote books remove robots --yes",
    )
    app.callback()(list_books_by_default)
    app.command("list")(list_books)
    app.command("show")(show_book)
    app.command("remove")(remove_book)
    return app


def list_books_by_default(context: typer.Context, is_json: Json = False) -> None:
    """Show and remove books."""
    if context.invoked_subcommand is None:
        list_books(is_json)


def list_books(is_json: Json = False) -> None:
    """List every book with its counts."""
    printer = Printer(is_json=is_json)

    async def work(settings: Settings) -> None:
        from core.store.library import Library
        from core.store.opening import open_store_to_read

        async with open_store_to_read(settings.data_dir) as database:
            books = await Library(database).books(group=None)
        if printer.is_json:
            printer.document({"books": [book.to_dict() for book in books]})
        elif books:
            printer.table(("book", "title", "lessons", "passages", "readers"), [_row(book) for book in books])
        else:
            printer.note("There is no book yet. Add one with: footnote ingest PATH --book ID")

    do(work, printer)


def show_book(book_id: BookId, is_json: Json = False) -> None:
    """Show a book's outline, and what was noticed in its files."""
    printer = Printer(is_json=is_json)

    async def work(settings: Settings) -> None:
        from core.store.library import Library
        from core.store.opening import open_store_to_read

        async with open_store_to_read(settings.data_dir) as database:
            library = Library(database)
            book = await library.book(book_id, group=None)
            outline = await library.outline(book.id)
            remarks = await library.remarks(book.id)
        if printer.is_json:
            told = {
                "outline": [each.to_dict() for each in outline],
                "remarks": [each.to_dict() for each in remarks],
            }
            printer.document({**book.to_dict(), **told})
            return
        printer.line(f"{book.title} ({book.id})", style="bold")
        titles = ("module", "chapter", "lesson", "title", "passages")
        printer.table(
            titles, [(e.module, str(e.chapter), str(e.lesson), e.title, str(e.chunk_count)) for e in outline]
        )
        if remarks:
            printer.line("Noticed while it was taken in:", style="bold")
        for remark in remarks:
            printer.line(f"  {remark.source_file}: {remark.message}", style="yellow")

    do(work, printer)


def remove_book(book_id: BookId, is_sure: Sure = False, is_json: Json = False) -> None:
    """Remove a book with all its passages. What was said about it in conversations stays."""
    printer = Printer(is_json=is_json)

    async def work(settings: Settings) -> None:
        from bot.uploads import UPLOADS, Uploads
        from core.store.library import Library
        from core.store.opening import open_store

        async with open_store(settings.data_dir) as database:
            library = Library(database)
            book = await library.book(book_id, group=None)
            be_sure(f"Remove {book.title} ({book.id}) for good?", is_sure=is_sure, printer=printer)
            gone = await library.delete_book(book.id)
            await Uploads(settings.data_dir / UPLOADS).remove(book.id)
        if printer.is_json:
            printer.document({"book_id": book.id, "removed": True, "chunks_deleted": len(gone)})
        else:
            printer.line(f"Removed {book.title}: {len(gone)} passages.")

    do(work, printer)


def _row(book: Book) -> tuple[str, ...]:
    found_by = f"{book.chunk_count}" + (f" ({book.pending_count} by words only)" if book.pending_count else "")
    return book.id, book.title, str(book.lesson_count), found_by, book.group or "everyone"

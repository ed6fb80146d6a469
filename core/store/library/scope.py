"""Which books a question may be answered from. This is where groups are kept apart."""

from collections.abc import Mapping
from dataclasses import replace

from core.errors import LibraryError, UnknownBook
from core.model import Filters, Question, Session
from core.store.library.books import Books
from core.store.library.shelf import READABLE

NO_BOOK = (
    "There is no book here yet. A leader can add one with /book add, "
    "or the operator with: footnote ingest PATH --book ID"
)


class Scope(Books):
    """Narrows every question to what its group may read."""

    async def scope(self, question: Question, session: Session) -> Filters:
        """The question's filters with at least one book in them, and only books its group may read.

        The books are those asked for, else the session's, else the channel's or the group's, else all.

        Raises:
            UnknownBook: a book was asked for that the group may not read.
            LibraryError: the group has no book at all; the message says how to add one.
        """
        key = question.key
        titles = await self._titles(key.group)
        if not titles:
            raise LibraryError(NO_BOOK, details={"group": key.group})
        asked = tuple(dict.fromkeys(_named(name, titles) for name in question.filters.books))
        if not asked:
            wished = (session.book, await self.binding(key.group, key.channel))
            # A book that was taken away meanwhile is no reason to fall silent.
            asked = next(((wish,) for wish in wished if wish in titles), tuple(titles))
        return replace(question.filters, books=asked)

    async def _titles(self, group: str) -> dict[str, str]:
        rows = await self._database.fetch_all(
            f"SELECT id, title FROM books WHERE {READABLE} ORDER BY id",  # noqa: S608 - no value is part of the text
            (group, group),
        )
        return {row["id"]: row["title"] for row in rows}


def _named(name: str, titles: Mapping[str, str]) -> str:
    """The id of the book that a member calls *name*: its id, or its title."""
    if name in titles:
        return name
    wanted = name.strip().casefold()
    for book_id, title in titles.items():
        if wanted in {book_id.casefold(), title.casefold()}:
            return book_id
    raise UnknownBook(
        f"There is no book “{name}” here. There is: {', '.join(titles)}.",
        details={"book": name, "books": list(titles)},
    )

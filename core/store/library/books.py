"""The library's books: which there are, who may read them, and which one a channel reads."""

from collections.abc import Iterable

from core.errors import LibraryError, UnknownBook
from core.model import Book
from core.model.answer import utc_now
from core.store.database import Transaction
from core.store.library.rows import to_book
from core.store.library.shelf import READABLE, Shelf, as_array

_BOOKS = f"""
    SELECT books.*,
        (SELECT count(*) FROM lessons WHERE lessons.book = books.id) AS lesson_count,
        (SELECT count(*) FROM chunks WHERE chunks.book = books.id) AS chunk_count,
        (SELECT count(*) FROM pending_embeddings JOIN chunks ON chunks.id = chunk_id
            WHERE chunks.book = books.id) AS pending_count
    FROM books WHERE {READABLE}
"""  # noqa: S608 - no value is part of the text


class Books(Shelf):
    """Books and bindings. *group* None, where allowed, is the operator at this machine."""

    async def books(self, *, group: str | None) -> list[Book]:
        """The books that *group* may read, with counts, by title."""
        rows = await self._database.fetch_all(f"{_BOOKS} ORDER BY title COLLATE NOCASE, id", (group, group))
        return [to_book(row) for row in rows]

    async def book(self, book_id: str, *, group: str | None) -> Book:
        """One book that *group* may read.

        Raises:
            UnknownBook: there is none, or it is another group's.
        """
        row = await self._database.fetch_one(f"{_BOOKS} AND books.id = ?", (group, group, book_id))
        if row is None:
            raise UnknownBook(f"There is no book “{book_id}” here.", details={"book": book_id})
        return to_book(row)

    async def models(self, book_ids: Iterable[str]) -> dict[str, tuple[str, int]]:
        """The embedding model of each of these books with its dimension; books without any are left out."""
        rows = await self._database.fetch_all(
            "SELECT id, embedding_model, dimension FROM books WHERE embedding_model IS NOT NULL "
            "AND id IN (SELECT value FROM json_each(?))",
            (as_array(book_ids),),
        )
        return {row["id"]: (row["embedding_model"], row["dimension"]) for row in rows}

    async def save_book(self, book: Book) -> None:
        """Add *book*, or renew what is said about it. Its owner never changes, nor do its counts.

        Raises:
            LibraryError: the id is taken by a book of another owner.
        """
        now = utc_now()
        async with self._database.write() as transaction:
            await _check_owner(transaction, book)
            await transaction.execute(
                "INSERT INTO books (id, title, group_key, base_url, source, embedding_model, dimension, "
                "created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "
                "ON CONFLICT (id) DO UPDATE SET title = excluded.title, base_url = excluded.base_url, "
                "source = excluded.source, embedding_model = excluded.embedding_model, "
                "dimension = excluded.dimension, updated_at = excluded.updated_at",
                (
                    book.id,
                    book.title,
                    book.group,
                    book.base_url,
                    book.source,
                    book.embedding_model,
                    book.dimension,
                    now,
                    now,
                ),
            )

    async def delete_book(self, book_id: str) -> list[str]:
        """Remove a book with all that is kept of it; the chunk ids that went away, which the index still owes."""
        async with self._database.write() as transaction:
            rows = await transaction.fetch_all("SELECT id FROM chunks WHERE book = ?", (book_id,))
            await transaction.execute(
                "INSERT OR IGNORE INTO stale_points (chunk_id, book) SELECT id, book FROM chunks WHERE book = ?",
                (book_id,),
            )
            await transaction.execute("UPDATE sessions SET book = NULL WHERE book = ?", (book_id,))
            await transaction.execute("DELETE FROM books WHERE id = ?", (book_id,))
        return [row["id"] for row in rows]

    async def bind(self, group: str, channel: str | None, book_id: str | None) -> None:
        """Let *channel* of *group* (the whole group if None) read *book_id*; None takes the binding away.

        Raises:
            UnknownBook: the group may not read it.
        """
        if book_id is not None:
            await self.book(book_id, group=group)
        async with self._database.write() as transaction:
            await transaction.execute(
                "DELETE FROM bindings WHERE group_key = ? AND channel = ?", (group, channel or "")
            )
            if book_id is not None:
                await transaction.execute(
                    "INSERT INTO bindings (group_key, channel, book) VALUES (?, ?, ?)",
                    (group, channel or "", book_id),
                )

    async def binding(self, group: str, channel: str | None) -> str | None:
        """The book that *channel* reads: its own, else its group's, else None."""
        row = await self._database.fetch_one(
            "SELECT book FROM bindings WHERE group_key = ? AND channel IN (?, '') ORDER BY channel DESC LIMIT 1",
            (group, channel or ""),
        )
        return row["book"] if row else None


async def _check_owner(transaction: Transaction, book: Book) -> None:
    row = await transaction.fetch_one("SELECT group_key FROM books WHERE id = ?", (book.id,))
    if row is not None and row["group_key"] != book.group:
        raise LibraryError(
            f"The book id “{book.id}” is already taken. Choose another one.", details={"book": book.id}
        )

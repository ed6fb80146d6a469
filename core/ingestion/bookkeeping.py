"""What is written down about a book, above all which embedding model it belongs to."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePath
from urllib.parse import urlsplit

from core.errors import IndexMismatch, UnknownBook
from core.ingestion.embedding import Embedding
from core.ingestion.request import IngestRequest, Mode
from core.model import Book
from core.store.library import Library


class Bookkeeping:
    """Keeps books and embedding models together."""

    def __init__(self, *, library: Library, embedding: Embedding) -> None:
        self._library = library
        self._embedding = embedding

    async def open(self, request: IngestRequest, *, find_title: Callable[[], str | None]) -> IngestRequest:
        """Write down what is known of the book; the request, completed by what was known before.

        A new book is called as the request says, else by its own title, else after its source.

        Raises:
            IndexMismatch: the book is embedded with another model and shall not be embedded anew.
            LibraryError: the id is taken by a book of another owner.
        """
        try:
            known = await self._library.book(request.book, group=None)
        except UnknownBook:
            title = await asyncio.to_thread(find_title)
            known = Book(request.book, title=title or _name_of(request.source), group=request.group)
        else:
            await self._settle_model(known, request.mode)
        base_url = request.base_url or known.base_url
        await self._library.save_book(
            replace(
                self._of_model_in_use(known),
                title=request.title or known.title,
                group=request.group,
                base_url=base_url,
                source=request.source,
            )
        )
        return replace(request, base_url=base_url)

    async def move(self, book_id: str) -> None:
        """Let a book belong to the model in use; if that is another one, it owes every embedding anew."""
        book = await self._library.book(book_id, group=None)
        if self._is_of_model_in_use(book):
            return
        # First what is owed, then the new name: killed in between, a book owes too much and never too little.
        async for chunks in self._library.all_chunks(book_id):
            await self._library.mark_pending(chunk.id for chunk in chunks)
        await self._library.save_book(self._of_model_in_use(book))

    async def models(self) -> set[tuple[str, int]]:
        """Every embedding model that a book belongs to, with its dimension."""
        books = await self._library.books(group=None)
        return {
            (book.embedding_model, book.dimension) for book in books if book.embedding_model and book.dimension
        }

    async def _settle_model(self, book: Book, mode: Mode) -> None:
        if mode is Mode.RECREATE:
            await self.move(book.id)
        elif not self._is_of_model_in_use(book):
            raise IndexMismatch(
                f"“{book.title}” is embedded with {book.embedding_model} ({book.dimension} numbers), and the "
                f"embedder in use is {self._embedding.model} ({self._embedding.dimension}). "
                f"Move the book with: footnote reindex --book {book.id}",
                details={"book": book.id, "book_model": book.embedding_model, "model": self._embedding.model},
            )

    def _is_of_model_in_use(self, book: Book) -> bool:
        return (book.embedding_model, book.dimension) == (self._embedding.model, self._embedding.dimension)

    def _of_model_in_use(self, book: Book) -> Book:
        return replace(book, embedding_model=self._embedding.model, dimension=self._embedding.dimension)


def _name_of(source: str) -> str:
    path = urlsplit(source).path if "://" in source else source
    return PurePath(path.rstrip("/")).stem.replace("-", " ").replace("_", " ").strip() or source

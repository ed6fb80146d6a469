"""Sees that a book is searched with the embedding model it belongs to."""

import logging
from collections.abc import Sequence

from core.errors import IndexMismatch
from core.ports import Embedder
from core.store.library import Library

log = logging.getLogger(__name__)


class ModelCheck:
    """Compares books with the embedder in use."""

    def __init__(self, *, library: Library, embedder: Embedder) -> None:
        self._library = library
        self._embedder = embedder

    async def check(self, books: Sequence[str]) -> None:
        """Refuse a search in books that all belong to another model.

        Where only some do, those are found by words alone, which is better than nothing for the rest.

        Raises:
            IndexMismatch: names the command that moves the book to the model in use.
        """
        mine = (self._embedder.model, self._embedder.dimension)
        strange = {book: model for book, model in (await self._library.models(books)).items() if model != mine}
        if not strange:
            return
        book, (model, dimension) = next(iter(strange.items()))
        message = (
            f"“{book}” is embedded with {model} ({dimension} numbers), and the embedder in use is {mine[0]} "
            f"({mine[1]}). Move the book with: footnote reindex --book {book}"
        )
        if len(strange) < len(set(books)):
            log.warning("found by words only: %s", message)
            return
        raise IndexMismatch(message, details={"book": book, "book_model": model, "model": mine[0]})

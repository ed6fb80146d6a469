"""Brings the index back in line with the library, which is the truth about what exists."""

import asyncio
from collections.abc import Sequence

from core.ingestion.embedding import Embedding
from core.ingestion.entries import to_entry
from core.model import Book, Chunk, Filters, SparseVector
from core.ports import Index
from core.retrieval.words import Words
from core.store.library import Library


class Mending:
    """Finds what a killed process or a lost index left behind, and repairs it."""

    def __init__(self, *, library: Library, index: Index, embedding: Embedding) -> None:
        self._library = library
        self._index = index
        self._embedding = embedding
        self._words = Words()

    async def mend(self, book: str) -> int:
        """Add the entries that are missing, remove those that are too many; how many chunks were added."""
        if await self.is_whole(await self._library.book(book, group=None)):
            return 0
        leftover = set(await self._index.chunk_ids(book))
        added = 0
        async for chunks in self._library.all_chunks(book):
            missing = [chunk for chunk in chunks if chunk.id not in leftover]
            leftover.difference_update(chunk.id for chunk in chunks)
            await self._put(missing)
            added += len(missing)
        await self._index.delete(sorted(leftover))
        return added

    async def is_whole(self, book: Book) -> bool:
        """Whether the index has as many entries of a book as the library has chunks.

        Nothing is looked at more closely: an entry is only ever lost or left over by an interruption, and that
        changes the number.
        """
        return await self._index.count(Filters(books=(book.id,))) == book.chunk_count

    async def _put(self, chunks: Sequence[Chunk]) -> None:
        if not chunks:
            return
        known = await self._embedding.at_once(chunks)
        # Before the entries: killed in between, they would be without an embedding and nobody would know.
        await self._library.mark_pending(chunk.id for chunk in chunks if chunk.id not in known)
        terms = await asyncio.to_thread(self._terms, chunks)
        await self._index.put(
            [to_entry(chunk, term, known.get(chunk.id)) for chunk, term in zip(chunks, terms, strict=True)]
        )

    def _terms(self, chunks: Sequence[Chunk]) -> list[SparseVector]:
        return [self._words.of_chunk(chunk) for chunk in chunks]

"""A book's own words: how rare each is, and which there are at all."""

import asyncio
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from core.model import Chunk
from core.retrieval.words import Words
from core.store.library import Library


@dataclass(slots=True)
class Vocabulary:
    """In how many chunks each stemmed word occurs."""

    chunk_count: int = 0
    occurrences: Counter[str] = field(default_factory=Counter)

    def rarity(self, word: str) -> float:
        """BM25's idf: 0 for a word in every chunk, and the more the rarer a word is."""
        found = self.occurrences.get(word, 0)
        return math.log(1 + (self.chunk_count - found + 0.5) / (found + 0.5))

    def has(self, word: str) -> bool:
        return word in self.occurrences

    def add(self, texts: Iterable[Sequence[str]]) -> None:
        """Count the words of more chunks."""
        for words in texts:
            self.chunk_count += 1
            self.occurrences.update(set(words))


class Vocabularies:
    """The vocabulary of each book, read once and again after the book has changed."""

    def __init__(self, *, library: Library) -> None:
        self._library = library
        # The stemmer keeps state, and this one works on other threads than the one questions use.
        self._words = Words()
        self._known: dict[str, tuple[tuple[str, int], Vocabulary]] = {}
        self._lock = asyncio.Lock()

    async def of(self, books: Sequence[str]) -> Vocabulary:
        """The words of these books taken together."""
        async with self._lock:
            each = [await self._of_book(book) for book in books]
        if len(each) == 1:
            return each[0]
        together = Vocabulary(sum(one.chunk_count for one in each))
        for one in each:
            together.occurrences.update(one.occurrences)
        return together

    async def _of_book(self, book_id: str) -> Vocabulary:
        book = await self._library.book(book_id, group=None)
        state = (book.updated_at, book.chunk_count)
        known = self._known.get(book_id)
        if known and known[0] == state:
            return known[1]
        vocabulary = Vocabulary()
        async for chunks in self._library.all_chunks(book_id):
            vocabulary.add(await asyncio.to_thread(self._words_of, chunks))
        self._known[book_id] = (state, vocabulary)
        return vocabulary

    def _words_of(self, chunks: Sequence[Chunk]) -> list[list[str]]:
        return [self._words.of_text(f"{chunk.heading_text}\n{chunk.text}") for chunk in chunks]

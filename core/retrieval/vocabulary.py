"""A book's own words: how rare each is, how it is spelt, and which acronyms it explains."""

import asyncio
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.model import Chunk
from core.retrieval.acronyms import acronyms_in
from core.retrieval.spelling import spellings_in
from core.retrieval.words import Words
from core.store.library import Library


@dataclass(slots=True)
class Vocabulary:
    """The words of one or more books."""

    chunk_count: int = 0
    occurrences: Counter[str] = field(default_factory=Counter)
    """In how many chunks each stemmed word occurs."""
    spellings: dict[str, set[str]] = field(default_factory=dict)
    """Every word as it is written, by its first letter."""
    acronyms: dict[str, str] = field(default_factory=dict)

    def rarity(self, word: str) -> float:
        """BM25's idf: 0 for a word in every chunk, and the more the rarer a word is."""
        found = self.occurrences.get(word, 0)
        return math.log(1 + (self.chunk_count - found + 0.5) / (found + 0.5))

    def has(self, word: str) -> bool:
        return word in self.occurrences

    def add(self, chunks: Sequence[Chunk], words: Words) -> None:
        """Take in the words of more chunks."""
        for chunk in chunks:
            text = f"{chunk.heading_text}\n{chunk.text}"
            self.chunk_count += 1
            self.occurrences.update(set(words.of_text(text)))
            for spelling in spellings_in(text):
                self.spellings.setdefault(spelling[0], set()).add(spelling)
            self.acronyms |= acronyms_in(text)

    def join(self, other: "Vocabulary") -> None:
        """Take in another book's words."""
        self.chunk_count += other.chunk_count
        self.occurrences.update(other.occurrences)
        for letter, spellings in other.spellings.items():
            self.spellings.setdefault(letter, set()).update(spellings)
        self.acronyms |= other.acronyms


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
        together = Vocabulary()
        for one in each:
            together.join(one)
        return together

    async def _of_book(self, book_id: str) -> Vocabulary:
        book = await self._library.book(book_id, group=None)
        state = (book.updated_at, book.chunk_count)
        known = self._known.get(book_id)
        if known and known[0] == state:
            return known[1]
        vocabulary = Vocabulary()
        async for chunks in self._library.all_chunks(book_id):
            await asyncio.to_thread(vocabulary.add, chunks, self._words)
        self._known[book_id] = (state, vocabulary)
        return vocabulary

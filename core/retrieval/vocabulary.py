"""A book's own words: how rare each is, how it is spelt, and which acronyms it explains."""

import asyncio
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import monotonic

from core.model import Chunk
from core.retrieval.acronyms import acronyms_in
from core.retrieval.spelling import spellings_in
from core.retrieval.words import Words
from core.store.library import Library

PATIENCE_SECONDS = 1.5
"""What a question waits at most for a large book to be read."""


@dataclass(slots=True)
class Vocabulary:
    """The words of one or more books."""

    chunk_count: int = 0
    occurrences: Counter[str] = field(default_factory=Counter)
    """In how many chunks each stemmed word occurs."""
    spellings: dict[str, set[str]] = field(default_factory=dict)
    """Every word as it is written, by its first letter."""
    acronyms: dict[str, str] = field(default_factory=dict)
    is_complete: bool = False
    """While a large book is still being read, what it has not is not known yet."""

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
        self.is_complete &= other.is_complete


@dataclass(frozen=True, slots=True)
class _Reading:
    """A book being read, and what was known of it before it changed."""

    state: tuple[str, int]
    task: asyncio.Task[None]
    vocabulary: Vocabulary
    before: Vocabulary | None
    started: float = field(default_factory=monotonic)

    @property
    def best(self) -> Vocabulary:
        return self.vocabulary if self.vocabulary.is_complete else self.before or self.vocabulary


class Vocabularies:
    """The vocabulary of each book, read once and again after the book has changed.

    Ten thousand chunks take a few seconds. A question waits *patience_seconds* for them and then goes on with what
    was read so far: how rare a word is can be told from a part of a book.
    """

    def __init__(self, *, library: Library, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._library = library
        self._patience_seconds = patience_seconds
        # The stemmer keeps state, and this one works on other threads than the one questions use.
        self._words = Words()
        self._stemming = asyncio.Lock()
        self._readings: dict[str, _Reading] = {}

    async def of(self, books: Sequence[str]) -> Vocabulary:
        """The words of these books taken together."""
        readings = [await self._reading(book) for book in books]
        waiting = [each.task for each in readings if not each.task.done()]
        if waiting:
            # Only those who come right after the start wait, not everyone until the end.
            newest = max(each.started for each in readings)
            await asyncio.wait(waiting, timeout=max(0.0, newest + self._patience_seconds - monotonic()))
        for each in readings:
            if each.task.done():
                each.task.result()
        if len(readings) == 1:
            return readings[0].best
        together = Vocabulary(is_complete=True)
        for each in readings:
            together.join(each.best)
        return together

    async def _reading(self, book_id: str) -> _Reading:
        book = await self._library.book(book_id, group=None)
        state = (book.updated_at, book.chunk_count)
        known = self._readings.get(book_id)
        if known and known.state == state:
            return known
        vocabulary = Vocabulary()
        task = asyncio.create_task(self._read(book_id, vocabulary))
        # Who asks next hears of a failure; where nobody asks any more, nobody needs to.
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        reading = _Reading(state, task, vocabulary, known.best if known else None)
        self._readings[book_id] = reading
        return reading

    async def _read(self, book_id: str, vocabulary: Vocabulary) -> None:
        async for chunks in self._library.all_chunks(book_id):
            async with self._stemming:
                await asyncio.to_thread(vocabulary.add, chunks, self._words)
        vocabulary.is_complete = True

"""First questions that a book really answers, worked out once for each state of it."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from typing import Protocol

from bot.starters import MAX_STARTERS, starter_questions
from core.model import Book, Filters, Findings
from core.store.library import Library

TRIED = 12
"""How many questions are tried at most; the first that hold are taken."""
SURE = 0.8
"""The chance that a passage answers it, from which a question is offered."""


class Finder(Protocol):
    """What finds passages and says how likely they answer."""

    async def search(self, query: str, scope: Filters, *, limit: int) -> Findings: ...


class Starting:
    """Offers questions taken from a book's headings, each tried on the book itself before."""

    def __init__(self, *, library: Library, finder: Finder) -> None:
        self._library = library
        self._finder = finder
        self._known: dict[tuple[str, str, int], list[str]] = {}
        self._trying: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def questions(self, book: Book) -> list[str]:
        """Up to four questions that *book* answers; where it is sure of none, the likeliest."""
        state = (book.id, book.updated_at, book.chunk_count)
        # Whoever asks meanwhile waits for the same trial instead of beginning another.
        async with self._trying[book.id]:
            if state not in self._known:
                self._known[state] = await self._tried(book)
            return self._known[state]

    async def _tried(self, book: Book) -> list[str]:
        wishes = starter_questions(await self._library.outline(book.id), limit=TRIED)
        chances: dict[str, float] = {}
        for wish in _from_everywhere(wishes):
            found = await self._finder.search(wish, Filters(books=(book.id,)), limit=MAX_STARTERS)
            chances[wish] = found.answerability
            if sum(chance >= SURE for chance in chances.values()) == MAX_STARTERS:
                break
        likeliest = sorted(chances, key=lambda wish: -chances[wish])[:MAX_STARTERS]
        return [wish for wish in wishes if wish in likeliest]


def _from_everywhere(wishes: Sequence[str]) -> list[str]:
    """The same in an order whose beginning comes from all parts of the book."""
    step = max(1, len(wishes) // MAX_STARTERS)
    return [wish for start in range(step) for wish in wishes[start::step]]

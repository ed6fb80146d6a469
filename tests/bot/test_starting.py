"""First questions are tried on the book before they are offered, once for each state of it."""

import asyncio
from dataclasses import replace

from bot.starting import Starting
from core.model import Book, Chunk, Filters, Findings, Place
from core.store.database import Database
from core.store.library import FileRecord, Library
from tests.core.store.making import make_chunks, make_lesson


class CountingFinder:
    """Is sure of what it was told to be sure of, and keeps what it was asked."""

    def __init__(self, *sure: str) -> None:
        self._sure = sure
        self.asked: list[str] = []

    async def search(self, query: str, scope: Filters, *, limit: int) -> Findings:
        self.asked.append(query)
        await asyncio.sleep(0)
        return Findings(query, answerability=0.9 if query in self._sure else 0.1)


async def _book(library: Library, *, lessons: int) -> Book:
    await library.save_book(Book("ros", "Robots"))
    for number in range(lessons):
        place = Place("ros", "basics", 1, number)
        chunks = make_chunks([f"Words of lesson {number}."], place, source_file=f"{number}.md")
        row = make_lesson(place, position=number)
        renamed = [_with_heading(chunk, f"What is rule {number}?") for chunk in chunks]
        await library.replace_file("ros", FileRecord(f"{number}.md", "hash"), [row], renamed)
    return await library.book("ros", group=None)


async def test_only_questions_that_the_book_answers_are_offered(database: Database) -> None:
    library = Library(database)
    sure = [f"What is rule {number}?" for number in (1, 3, 4, 6)]
    finder = CountingFinder(*sure)

    questions = await Starting(library=library, finder=finder).questions(await _book(library, lessons=9))

    assert questions == sure
    assert len(finder.asked) < 9


async def test_where_it_is_sure_of_none_it_still_offers_some(database: Database) -> None:
    library = Library(database)

    questions = await Starting(library=library, finder=CountingFinder()).questions(await _book(library, lessons=6))

    assert len(questions) == 4


async def test_a_book_is_tried_once_until_it_changes(database: Database) -> None:
    library, finder = Library(database), CountingFinder()
    starting = Starting(library=library, finder=finder)
    book = await _book(library, lessons=2)

    await asyncio.gather(starting.questions(book), starting.questions(book))
    tried = len(finder.asked)
    await starting.questions(await _book(library, lessons=3))

    assert tried == 2
    assert len(finder.asked) == 5


def _with_heading(chunk: Chunk, heading: str) -> Chunk:
    return replace(chunk, section=(heading,))

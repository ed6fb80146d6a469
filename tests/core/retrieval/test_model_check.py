"""A book that belongs to another embedding model is not searched as if it did not."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.errors import IndexMismatch
from core.model import Book
from core.retrieval.model_check import ModelCheck
from core.store.library import Library
from core.store.opening import open_store
from tests.fakes.letters_embedder import LettersEmbedder


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    async with open_store(tmp_path) as database:
        library = Library(database)
        await library.save_book(Book("mine", "Mine", embedding_model="letters", dimension=8))
        await library.save_book(Book("theirs", "Theirs", embedding_model="other", dimension=16))
        await library.save_book(Book("shorter", "Shorter", embedding_model="letters", dimension=4))
        await library.save_book(Book("empty", "Empty"))
        yield library


@pytest.mark.parametrize("books", [["mine"], ["empty"], ["mine", "theirs"], []], ids=str)
async def test_a_search_goes_on_where_a_book_can_be_searched(library: Library, books: list[str]) -> None:
    await ModelCheck(library=library, embedder=LettersEmbedder()).check(books)


@pytest.mark.parametrize("book", ["theirs", "shorter"])
async def test_a_book_of_another_model_is_refused_with_the_command_that_helps(library: Library, book: str) -> None:
    with pytest.raises(IndexMismatch, match=f"footnote reindex --book {book}"):
        await ModelCheck(library=library, embedder=LettersEmbedder()).check([book])

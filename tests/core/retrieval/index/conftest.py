"""Both kinds of index, empty, behind the same port."""

from collections.abc import AsyncIterator

import numpy as np
import pytest
import pytest_asyncio

from core.model import Filters, Place, chunk_id, parent_id
from core.ports import Index, IndexEntry, Vector
from core.retrieval.index import open_index
from core.retrieval.words import to_sparse
from core.settings import Settings
from tests.fakes.qdrant_server import open_qdrant_server

DIMENSION = 8
BOOKS = ("b", "c", "other")


@pytest_asyncio.fixture(params=["embedded", "apart", "server"], scope="module", loop_scope="module")
async def opened(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Index]:
    folder = tmp_path_factory.mktemp("index")
    if request.param != "server":
        async with open_index(
            Settings(data_dir=folder), model="letters", dimension=DIMENSION, is_apart=request.param == "apart"
        ) as index:
            yield index
        return
    async with open_qdrant_server(folder) as server:
        settings = Settings(data_dir=folder / "unused", qdrant_url=server.url)
        async with open_index(settings, model="letters", dimension=DIMENSION) as index:
            yield index


@pytest_asyncio.fixture(loop_scope="module")
async def index(opened: Index) -> AsyncIterator[Index]:
    yield opened
    for book in BOOKS:
        await opened.delete_book(book)
    assert await opened.count(Filters()) == 0


def direction(*numbers: float) -> Vector:
    """A vector of length 1 that begins with these numbers."""
    vector = np.zeros(DIMENSION, dtype=np.float32)
    vector[: len(numbers)] = numbers
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def even(dimension: int) -> Vector:
    """A vector of length 1 whose numbers are all the same."""
    return np.full(dimension, 1 / np.sqrt(dimension), dtype=np.float32)


def entry(name: str, words: str = "", vector: Vector | None = None, **place: object) -> IndexEntry:
    """An entry of book "b" unless *place* says otherwise, each of its words with weight 1."""
    at = Place(**{"book": "b", **place})  # type: ignore[arg-type]
    return IndexEntry(
        chunk_id=chunk_id(at, name.ljust(16, "-")),
        place=at,
        parent_id=parent_id(at),
        content_hash=name,
        source_file=f"{name}.md",
        source_file_hash="0",
        terms=to_sparse((word, 1.0) for word in (words or name).split()),
        embedding=vector,
    )

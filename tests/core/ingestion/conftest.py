"""One index and one set of reading processes for a whole module; a database and a source folder for each test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from core.ingestion.reading import Reading, open_reading
from core.ports import Index
from core.retrieval.index import open_index
from core.settings import Settings
from tests.core.ingestion.workshop import BOOK, Workshop, open_workshop
from tests.fakes.letters_embedder import DIMENSION, LettersEmbedder


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_index(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Index]:
    settings = Settings(data_dir=tmp_path_factory.mktemp("index"))
    async with open_index(settings, model="letters", dimension=DIMENSION) as index:
        yield index


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def reading() -> AsyncIterator[Reading]:
    async with open_reading(processes=1, file_seconds=5) as opened:
        yield opened


@pytest.fixture
def embedder() -> LettersEmbedder:
    return LettersEmbedder()


@pytest_asyncio.fixture(loop_scope="module")
async def workshop(
    tmp_path: Path, shared_index: Index, reading: Reading, embedder: LettersEmbedder
) -> AsyncIterator[Workshop]:
    # A test that moves to another model leaves no space for this one.
    index = await shared_index.in_space(embedder.model, embedder.dimension)
    async with open_workshop(tmp_path, index=index, reading=reading, embedder=embedder) as opened:
        yield opened
        for book in (BOOK, "other"):
            await shared_index.delete_book(book)

"""A real database in a folder of its own for each test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.store.database import Database, open_database
from core.store.files import DATABASE_NAME
from core.store.library import Library
from core.store.sessions import Sessions
from tests.empty_database import put_empty_database


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with open_database(await put_empty_database(tmp_path / DATABASE_NAME)) as database:
        yield database


@pytest.fixture
def library(database: Database) -> Library:
    return Library(database)


@pytest.fixture
def sessions(database: Database) -> Sessions:
    return Sessions(database, model="extractive")

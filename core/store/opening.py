"""The store of one data folder: to work in, held against other processes, or only to look at."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from core.store.database import Database, open_database, open_to_read
from core.store.datalock import lock_data
from core.store.files import DATABASE_NAME, is_newest


@asynccontextmanager
async def open_store(data_dir: Path) -> AsyncIterator[Database]:
    """The database in *data_dir*, made if there is none, held against every other process.

    Raises:
        DataInUse: another process works in the folder; the message says which.
        ServiceDown: the file cannot be used; the reason says what to do.
    """
    with lock_data(data_dir):
        async with open_database(data_dir / DATABASE_NAME) as database:
            yield database


@asynccontextmanager
async def open_store_to_read(data_dir: Path) -> AsyncIterator[Database]:
    """The same database to look at, also while a bot works in the folder. Writing to it fails.

    Raises:
        DataInUse: the file has to be brought to the newest schema first, and another process works with it.
        ServiceDown: the file cannot be used; the reason says what to do.
    """
    path = data_dir / DATABASE_NAME
    if not is_newest(path):
        async with open_store(data_dir):
            pass
    async with open_to_read(path) as database:
        yield database

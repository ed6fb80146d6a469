"""The store of one data folder: locked for this process, opened, and closed at the end."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from core.store.database import Database, open_database
from core.store.datalock import lock_data
from core.store.files import DATABASE_NAME


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

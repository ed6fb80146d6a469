"""One SQLite connection on a thread of its own, which does in order what it is given."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from core.store.files import read_only_uri
from core.store.trouble import translated

Value = str | int | float | bytes | None
Row = sqlite3.Row
Result = TypeVar("Result")
Work = Callable[[sqlite3.Connection], Result]


class Connection:
    """The way to the thread. Made by `open_connection`, which also closes it."""

    def __init__(self, connection: sqlite3.Connection, thread: ThreadPoolExecutor) -> None:
        self._connection = connection
        self._thread = thread

    def begin(self, work: Work[Result]) -> asyncio.Future[Result]:
        """Put *work* in the thread's line, now, behind all that was put there before.

        Whoever stops waiting for it does not stop it: what was begun is done.
        """
        doing = asyncio.get_running_loop().run_in_executor(self._thread, work, self._connection)
        return asyncio.shield(doing)

    async def do(self, work: Work[Result]) -> Result:
        """Do *work*, and give what it gives.

        Raises:
            ServiceDown: the machine did not let us; the reason says what to do.
        """
        with translated():
            return await self.begin(work)


def fetch(sql: str, values: Sequence[Value] = ()) -> Work[list[Row]]:
    """Every row of one statement, as work for the thread."""
    return lambda connection: connection.execute(sql, values).fetchall()


@asynccontextmanager
async def open_connection(
    path: Path, *, busy_timeout_ms: int, read_only: bool = False
) -> AsyncIterator[Connection]:
    """A connection to the file at *path*, closed at the end when all that was begun is done."""
    target = read_only_uri(path) if read_only else path

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(target, isolation_level=None, uri=read_only)
        connection.row_factory = sqlite3.Row
        connection.execute(f"PRAGMA busy_timeout = {busy_timeout_ms:d}")
        return connection

    with ThreadPoolExecutor(1, thread_name_prefix="database") as thread:
        with translated():
            opened = await asyncio.get_running_loop().run_in_executor(thread, connect)
        connection = Connection(opened, thread)
        try:
            yield connection
        finally:
            await connection.begin(sqlite3.Connection.close)

"""One SQLite connection on a thread of its own, which does in order what it is given."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import aiosqlite

from core.store.files import read_only_uri
from core.store.trouble import translated

Value = str | int | float | bytes | None
Row = sqlite3.Row
Result = TypeVar("Result")
Work = Callable[[sqlite3.Connection], Result]


class Connection:
    """The way to the thread. Made by `open_connection`, which also closes it."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection

    def begin(self, work: Work[Result]) -> asyncio.Future[Result]:
        """Put *work* in the thread's line, behind all that was put there before.

        Whoever stops waiting for it does not stop it: what was begun is done.
        """
        # aiosqlite's own calls take one statement each; this, which they rest on, takes several in one round.
        doing = self._connection._execute(work, self._connection._conn)  # type: ignore[no-untyped-call] # it has no types
        return asyncio.shield(asyncio.ensure_future(doing))

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
    connecting = aiosqlite.connect(target, isolation_level=None, uri=read_only)
    with translated():
        opened = await connecting
    connection = Connection(opened)
    try:
        opened.row_factory = sqlite3.Row
        await connection.do(fetch(f"PRAGMA busy_timeout = {busy_timeout_ms:d}"))
        yield connection
    finally:
        # The connection's thread outlives us otherwise, and the process would hang at exit.
        await opened.close()

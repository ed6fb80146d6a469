"""One SQLite file: a single writer, readers that never wait for it, and errors a person can act on."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from core.store.connection import Connection, Result, Row, Value, Work, fetch, open_connection
from core.store.files import prepare_file
from core.store.schema import Migration, migrate, read_migrations
from core.store.trouble import translated
from core.store.writer_turn import WriterTurn

__all__ = ["Database", "Row", "Transaction", "Value", "open_database", "open_to_read"]

BUSY_TIMEOUT_MS = 5000


class Transaction:
    """What a writer may do between BEGIN and COMMIT. Its reads see its own writes."""

    def __init__(self, do: Callable[[Work[list[Row]]], Awaitable[list[Row]]]) -> None:
        self._do = do

    async def execute(self, sql: str, values: Sequence[Value] = ()) -> None:
        await self._do(fetch(sql, values))

    async def execute_many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None:
        await self._do(lambda connection: connection.executemany(sql, rows).fetchall())

    async def fetch_all(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        return await self._do(fetch(sql, values))

    async def fetch_one(self, sql: str, values: Sequence[Value] = ()) -> Row | None:
        rows = await self._do(fetch(sql, values))
        return rows[0] if rows else None


class Database:
    """Reads and writes of one file. Made by `open_database`, which also closes it.

    Writes share one connection and take turns. Reads use a second, read-only connection: on the writer's
    they would see what an open transaction of another task may yet roll back. In WAL mode a reader sees the
    last commit and neither side waits. Only one connection ever writes or checkpoints, which also keeps
    clear of the WAL-reset bug of SQLite before 3.51.3.
    """

    def __init__(self, path: Path, *, writer: Connection, reader: Connection) -> None:
        self.path = path
        self._writer = writer
        self._reader = reader
        self._turn = WriterTurn()
        self._holder: asyncio.Task[object] | None = None

    async def fetch_all(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        """Every row of a query, as of the last commit."""
        return await self._reader.do(fetch(sql, values))

    async def fetch_one(self, sql: str, values: Sequence[Value] = ()) -> Row | None:
        """The first row of a query, or None."""
        rows = await self._reader.do(fetch(sql, values))
        return rows[0] if rows else None

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Transaction]:
        """One transaction: all of it is stored when the block ends, none if it raises or is cancelled.

        Each statement is a round to the connection's thread, and nobody else writes meanwhile: what members
        wait for takes `write_whole` or `write_one`.
        """
        async with self._writer_turn():
            is_stored = False
            try:
                await self._writer.do(fetch("BEGIN IMMEDIATE"))
                yield Transaction(self._writer.do)
                await self._writer.do(fetch("COMMIT"))
                is_stored = True
            finally:
                # The connection's thread works in order, so this undoes even a statement that was still
                # running when its task was cancelled. It does nothing after a commit.
                if not is_stored:
                    await self._writer.begin(sqlite3.Connection.rollback)

    async def write_whole(
        self, body: Callable[[Transaction], Coroutine[None, None, Result]], *, is_urgent: bool = False
    ) -> Result:
        """One transaction in one round to the connection's thread: all of it is stored, or nothing.

        *body* runs there and may await nothing but the transaction. One that *is_urgent* comes before all
        others that wait. Others can be put in the thread's line before this one is done, so that many
        cost hardly more time than one.
        """
        return await self._put(lambda connection: _in_one_go(connection, body), is_urgent=is_urgent)

    async def write_one(self, sql: str, values: Sequence[Value] = (), *, is_urgent: bool = False) -> Row | None:
        """One statement that is stored as a whole by itself; the first row it returns."""
        rows = await self._put(fetch(sql, values), is_urgent=is_urgent)
        return rows[0] if rows else None

    async def _put(self, work: Work[Result], *, is_urgent: bool) -> Result:
        # The turn is ours only until the work stands in the line: no transaction of rounds is open before it,
        # and one that comes after it begins behind it.
        async with self._writer_turn(is_urgent=is_urgent):
            doing = self._writer.begin(work)
        with translated():
            return await doing

    async def scrub(self) -> None:
        """Rewrite the file so that no deleted word is left in it or in the write-ahead log.

        Deleted rows are overwritten at once (secure_delete), but pages that were rebalanced before can still
        hold a copy in their unused part; only a rewrite is sure to drop it. While somebody reads what was there
        before, the log cannot be emptied: then it stays owed.
        """
        async with self._writer_turn():
            await self._writer.do(fetch("VACUUM"))
            [checkpoint] = await self._writer.do(fetch("PRAGMA wal_checkpoint(TRUNCATE)"))
            if not checkpoint["busy"]:
                await self._writer.do(fetch("DELETE FROM scrub_owed"))

    async def scrub_if_owed(self) -> None:
        """Scrub if words were deleted since the file was last scrubbed, by whomever and in whichever process."""
        if await self.fetch_one("SELECT 1 FROM scrub_owed") is not None:
            await self.scrub()

    @asynccontextmanager
    async def _writer_turn(self, *, is_urgent: bool = False) -> AsyncIterator[None]:
        task = asyncio.current_task()
        if task is not None and task is self._holder:
            raise RuntimeError("a write transaction cannot be opened inside another one")
        async with self._turn.hold(is_urgent=is_urgent):
            self._holder = task
            try:
                yield
            finally:
                self._holder = None


@asynccontextmanager
async def open_database(
    path: Path,
    *,
    migrations: Sequence[Migration] | None = None,
    busy_timeout_ms: int = BUSY_TIMEOUT_MS,
) -> AsyncIterator[Database]:
    """The database at *path*, created or brought to the newest schema, and closed at the end.

    A damaged file is refused and left exactly as and where it is: were it moved away, the next start would
    begin an empty library as if nothing had happened.

    Raises:
        ServiceDown: the file cannot be used; the reason says what to do.
    """
    migrations = read_migrations() if migrations is None else migrations
    await asyncio.to_thread(prepare_file, path, newest=len(migrations))
    # The reader is closed first, so that closing the writer can fold the log into the file and remove it.
    async with open_connection(path, busy_timeout_ms=busy_timeout_ms) as writer:
        await writer.do(lambda connection: _prepare(connection, migrations))
        async with open_connection(path, busy_timeout_ms=busy_timeout_ms, read_only=True) as reader:
            yield Database(path, writer=writer, reader=reader)


@asynccontextmanager
async def open_to_read(path: Path, *, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> AsyncIterator[Database]:
    """The database at *path* as another process leaves it, commit by commit. Writing to it raises ServiceDown.

    Raises:
        ServiceDown: the file cannot be used; the reason says what to do.
    """
    async with open_connection(path, busy_timeout_ms=busy_timeout_ms, read_only=True) as reader:
        yield Database(path, writer=reader, reader=reader)


def _prepare(connection: sqlite3.Connection, migrations: Sequence[Migration]) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA secure_delete = ON")
    migrate(connection, migrations)
    connection.execute("PRAGMA foreign_keys = ON")


def _in_one_go(
    connection: sqlite3.Connection, body: Callable[[Transaction], Coroutine[None, None, Result]]
) -> Result:
    async def at_once(work: Work[list[Row]]) -> list[Row]:
        return work(connection)

    connection.execute("BEGIN IMMEDIATE")
    running = body(Transaction(at_once))
    try:
        running.send(None)
    except StopIteration as end:
        connection.execute("COMMIT")
        result: Result = end.value
        return result
    finally:
        running.close()
        # Does nothing after the commit.
        connection.rollback()
    raise RuntimeError("a transaction that is written as a whole may await nothing but itself")

"""One SQLite file: a single writer, readers that never wait for it, and errors a person can act on."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import aiosqlite

from core.store.files import prepare_file, read_only_uri
from core.store.schema import Migration, migrate, read_migrations
from core.store.trouble import translated
from core.store.writer_turn import WriterTurn

BUSY_TIMEOUT_MS = 5000

Value = str | int | float | bytes | None
Row = sqlite3.Row


class Transaction:
    """What a writer may do between BEGIN and COMMIT. Its reads see its own writes."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection

    async def execute(self, sql: str, values: Sequence[Value] = ()) -> None:
        await _run(self._connection, sql, values)

    async def execute_many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None:
        with translated():
            await self._connection.executemany(sql, rows)

    async def fetch_all(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        return await _run(self._connection, sql, values)

    async def fetch_one(self, sql: str, values: Sequence[Value] = ()) -> Row | None:
        rows = await _run(self._connection, sql, values)
        return rows[0] if rows else None


class Database:
    """Reads and writes of one file. Made by `open_database`, which also closes it.

    Writes share one connection and take turns. Reads use a second, read-only connection: on the writer's
    they would see what an open transaction of another task may yet roll back. In WAL mode a reader sees the
    last commit and neither side waits. Only one connection ever writes or checkpoints, which also keeps
    clear of the WAL-reset bug of SQLite before 3.51.3.
    """

    def __init__(self, path: Path, *, writer: aiosqlite.Connection, reader: aiosqlite.Connection) -> None:
        self.path = path
        self._writer = writer
        self._reader = reader
        self._turn = WriterTurn()
        self._holder: asyncio.Task[object] | None = None

    async def fetch_all(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        """Every row of a query, as of the last commit."""
        return await _run(self._reader, sql, values)

    async def fetch_one(self, sql: str, values: Sequence[Value] = ()) -> Row | None:
        """The first row of a query, or None."""
        rows = await _run(self._reader, sql, values)
        return rows[0] if rows else None

    @asynccontextmanager
    async def write(self, *, is_urgent: bool = False) -> AsyncIterator[Transaction]:
        """One transaction: all of it is stored when the block ends, none if it raises or is cancelled.

        One that *is_urgent* begins before all others that wait.
        """
        async with self._writer_turn(is_urgent=is_urgent):
            is_stored = False
            try:
                await _run(self._writer, "BEGIN IMMEDIATE")
                yield Transaction(self._writer)
                await _run(self._writer, "COMMIT")
                is_stored = True
            finally:
                # The connection's thread works in order, so this undoes even a statement that was still
                # running when its task was cancelled. It does nothing after a commit.
                if not is_stored:
                    await self._writer.rollback()

    async def write_one(self, sql: str, values: Sequence[Value] = (), *, is_urgent: bool = False) -> Row | None:
        """One statement that is stored as a whole by itself; the first row it returns.

        It costs one round to the connection's thread where a transaction costs at least three.
        """
        async with self._writer_turn(is_urgent=is_urgent):
            rows = await _run(self._writer, sql, values)
        return rows[0] if rows else None

    async def scrub(self) -> None:
        """Rewrite the file so that no deleted word is left in it or in the write-ahead log.

        Deleted rows are overwritten at once (secure_delete), but pages that were rebalanced before can still
        hold a copy in their unused part; only a rewrite is sure to drop it.
        """
        async with self._writer_turn():
            await _run(self._writer, "VACUUM")
            await _run(self._writer, "PRAGMA wal_checkpoint(TRUNCATE)")

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
    async with _connected(path, busy_timeout_ms) as writer:
        with translated():
            await writer.execute_fetchall("PRAGMA journal_mode = WAL")
            await writer.execute_fetchall("PRAGMA synchronous = NORMAL")
            await writer.execute_fetchall("PRAGMA secure_delete = ON")
        await migrate(writer, migrations)
        await writer.execute_fetchall("PRAGMA foreign_keys = ON")
        async with _connected(path, busy_timeout_ms, read_only=True) as reader:
            yield Database(path, writer=writer, reader=reader)


@asynccontextmanager
async def open_to_read(path: Path, *, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> AsyncIterator[Database]:
    """The database at *path* as another process leaves it, commit by commit. Writing to it raises ServiceDown.

    Raises:
        ServiceDown: the file cannot be used; the reason says what to do.
    """
    async with _connected(path, busy_timeout_ms, read_only=True) as reader:
        yield Database(path, writer=reader, reader=reader)


@asynccontextmanager
async def _connected(
    path: Path, busy_timeout_ms: int, *, read_only: bool = False
) -> AsyncIterator[aiosqlite.Connection]:
    target = read_only_uri(path) if read_only else path
    connecting = aiosqlite.connect(target, isolation_level=None, uri=read_only)
    with translated():
        connection = await connecting
    try:
        connection.row_factory = sqlite3.Row
        await connection.execute_fetchall(f"PRAGMA busy_timeout = {busy_timeout_ms:d}")
        yield connection
    finally:
        # The connection's thread outlives us otherwise, and the process would hang at exit.
        await connection.close()


async def _run(connection: aiosqlite.Connection, sql: str, values: Sequence[Value] = ()) -> list[Row]:
    with translated():
        return list(await connection.execute_fetchall(sql, values))

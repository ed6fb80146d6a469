"""Brings a database to the newest schema, one file and one transaction per version."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

import aiosqlite

from core.store.trouble import translated

_FILE_NAME = re.compile(r"(\d{4})_\w+\.sql")


@dataclass(frozen=True, slots=True)
class Migration:
    """What turns a database of version *version* - 1 into one of *version*."""

    version: int
    sql: str


def read_migrations(folder: Traversable | None = None) -> tuple[Migration, ...]:
    """The migrations in *folder* (ours, if none is given), in order.

    Raises:
        ValueError: a version is missing or given twice.
    """
    folder = folder or files("core.store") / "migrations"
    found = []
    for entry in folder.iterdir():
        if match := _FILE_NAME.fullmatch(entry.name):
            found.append(Migration(int(match[1]), entry.read_text(encoding="utf-8")))
    found.sort(key=lambda migration: migration.version)
    if [migration.version for migration in found] != list(range(1, len(found) + 1)):
        raise ValueError("migrations must be numbered 0001, 0002 … without a gap")
    return tuple(found)


async def migrate(connection: aiosqlite.Connection, migrations: Sequence[Migration]) -> None:
    """Apply what the database does not have yet. A migration that fails leaves the version before it.

    Foreign keys must be off on *connection*, so that a migration may rebuild a table others refer to;
    they are checked before each commit instead.
    """
    with translated():
        rows = list(await connection.execute_fetchall("PRAGMA user_version"))
        for migration in migrations[rows[0][0] :]:
            await _apply(connection, migration)


async def _apply(connection: aiosqlite.Connection, migration: Migration) -> None:
    try:
        await connection.executescript(f"BEGIN IMMEDIATE;\n{migration.sql}")
        if list(await connection.execute_fetchall("PRAGMA foreign_key_check")):
            raise ValueError(f"migration {migration.version} leaves rows that refer to nothing")
        await connection.execute_fetchall(f"PRAGMA user_version = {migration.version}")
        await connection.execute_fetchall("COMMIT")
    finally:
        # Does nothing after the commit.
        await connection.rollback()

"""Brings a database to the newest schema, one file and one transaction per version."""

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

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


def migrate(connection: sqlite3.Connection, migrations: Sequence[Migration]) -> None:
    """Apply what the database does not have yet. A migration that fails leaves the version before it.

    Foreign keys must be off on *connection*, so that a migration may rebuild a table others refer to;
    they are checked before each commit instead.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    for migration in migrations[version:]:
        _apply(connection, migration)


def _apply(connection: sqlite3.Connection, migration: Migration) -> None:
    try:
        connection.executescript(f"BEGIN IMMEDIATE;\n{migration.sql}")
        if connection.execute("PRAGMA foreign_key_check").fetchall():
            raise ValueError(f"migration {migration.version} leaves rows that refer to nothing")
        connection.execute(f"PRAGMA user_version = {migration.version}")
        connection.execute("COMMIT")
    finally:
        # Does nothing after the commit.
        connection.rollback()

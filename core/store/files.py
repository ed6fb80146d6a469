"""Looks at a database file before anything is written to it."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from core.store.datalock import PRIVATE, PRIVATE_FILE
from core.store.schema import read_migrations
from core.store.trouble import RESTORE_ADVICE, database_down, translated

DATABASE_NAME = "footnote.db"
"""The file's name inside the data folder."""

CHEAP_CHECK_BYTES = 32 * 2**20
"""Files up to this size are checked at every start (about 0.1 s); larger ones when an error shows."""


def read_only_uri(path: Path) -> str:
    """How SQLite is told to open *path* without the right to change it."""
    return f"{path.absolute().as_uri()}?mode=ro"


def log_files(path: Path) -> tuple[Path, Path]:
    """What SQLite keeps beside a database while it is open: its write-ahead log and that log's index."""
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")


def is_newest(path: Path) -> bool:
    """Whether there is a database at *path* that needs no migration.

    Raises:
        ServiceDown: the file cannot be used; the reason says what to do.
    """
    if not path.is_file() or path.stat().st_size == 0:
        return False
    newest = len(read_migrations())
    check_file(path, newest=newest)
    with translated(), closing(sqlite3.connect(read_only_uri(path), uri=True)) as connection:
        return bool(connection.execute("PRAGMA user_version").fetchone()[0] == newest)


def prepare_file(path: Path, *, newest: int) -> None:
    """Make *path*'s folder and, for its owner alone, the file; check the file if there is one already.

    Raises:
        ServiceDown: the folder cannot be made, or the file cannot be used; the reason says what to do.
    """
    try:
        path.parent.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
    except OSError as error:
        raise database_down(
            "cannot_open", f"the folder {path.parent} cannot be made ({error.strerror}). Choose another one."
        ) from error
    # Its log gets the same rights from SQLite. Where it cannot be made, SQLite says why in our own words.
    with suppress(OSError):
        path.touch(mode=PRIVATE_FILE, exist_ok=False)
    if path.is_file() and path.stat().st_size > 0:
        check_file(path, newest=newest)


def check_file(path: Path, *, newest: int) -> None:
    """Refuse a file that is damaged or newer than schema *newest*, without changing a byte of it.

    Raises:
        ServiceDown: the file cannot be used; the reason says what to do.
    """
    with translated(), closing(sqlite3.connect(read_only_uri(path), uri=True)) as connection:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version > newest:
            raise database_down(
                "newer",
                f"the file was written by a newer Footnote (schema {version}; this one knows {newest}). "
                "Update Footnote, or use another data folder.",
            )
        is_cheap = path.stat().st_size <= CHEAP_CHECK_BYTES
        if is_cheap and connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise database_down("damaged", RESTORE_ADVICE)


def check_every_page(path: Path) -> None:
    """Refuse a file of which any page or row is not whole, however long looking at them takes.

    Raises:
        ServiceDown: the file is damaged.
    """
    with translated(), closing(sqlite3.connect(read_only_uri(path), uri=True)) as connection:
        if connection.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
            raise database_down("damaged", RESTORE_ADVICE)

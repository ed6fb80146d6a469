"""The one place where SQLite's errors become ours."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from core.errors import ServiceDown

SERVICE = "database"
RESTORE_ADVICE = (
    "the file is damaged. It was left as it is. Stop the bot and bring back a backup with `footnote restore FILE`."
)

_LOCKED = ("locked", "another program holds the database. Close it (a database browser?) and try again.")
_CANNOT_OPEN = ("cannot_open", "the file cannot be opened. Check that its folder exists and may be written to.")
DAMAGED = "damaged"
_DAMAGED = (DAMAGED, RESTORE_ADVICE)
_NO_TEXT = "Could not decode to UTF-8"
"""Python's own error, which has no code: what we stored as text is none any more. It repeats the bytes."""
_ADVICE = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_READONLY: (
        "read_only",
        "the file may not be written to. Give the bot's user write permission on the data folder.",
    ),
    sqlite3.SQLITE_FULL: ("full", "the disk is full. Free some space; nothing already stored is lost."),
    sqlite3.SQLITE_IOERR: ("disk", "the disk could not be read or written. Check the disk, then start again."),
    sqlite3.SQLITE_CANTOPEN: _CANNOT_OPEN,
    sqlite3.SQLITE_PERM: _CANNOT_OPEN,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
}


def database_down(problem: str, advice: str) -> ServiceDown:
    """A ServiceDown whose details name the *problem* in one word, for code that can act on it."""
    error = ServiceDown(SERVICE, advice)
    error.details["problem"] = problem
    return error


@contextmanager
def translated() -> Iterator[None]:
    """Raise what the machine did to us as ServiceDown, and let our own mistakes through as they are."""
    try:
        yield
    except sqlite3.Error as error:
        # Extended codes keep the family in their lowest byte; errors of the Python layer have no code.
        if str(error).startswith(_NO_TEXT):
            raise database_down(*_DAMAGED) from None
        family = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if family not in _ADVICE:
            raise
        raise database_down(*_ADVICE[family]) from error

"""A copy of the whole store while the bot runs, and the way back."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from core.errors import LibraryError
from core.model.answer import utc_now
from core.store.datalock import PRIVATE_FILE, lock_data
from core.store.files import DATABASE_NAME, check_every_page, check_file, log_files, read_only_uri
from core.store.schema import read_migrations
from core.store.trouble import translated

APPLICATION_ID = 1179602772
"""Stands in the header of every database of ours; see the first migration."""

SQLITE_HEAD = b"SQLite format 3\x00"
"""Every SQLite file begins with these bytes."""


def backup(data_dir: Path, target: Path) -> None:
    """Copy everything in *data_dir*'s database to the new file *target*, also while a bot works with it.

    The copy is the state of one moment, whole and checked, readable by its owner alone. The index is not
    in it: it is made anew from the library.

    Raises:
        LibraryError: there is nothing to copy, or *target* exists already.
        ServiceDown: the database cannot be read.
    """
    source = data_dir / DATABASE_NAME
    if not source.is_file():
        raise LibraryError(f"There is no database in {data_dir}.")
    if target.exists():
        raise LibraryError(f"{target} exists already. Choose another name.")
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f"{target.name}.partial")
    partial.touch(mode=PRIVATE_FILE)
    try:
        with translated(), closing(sqlite3.connect(read_only_uri(source), uri=True)) as origin:
            _copy(origin, partial)
        check_every_page(partial)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def restore(data_dir: Path, source: Path) -> Path | None:
    """Put the backup *source* in the place of *data_dir*'s database; says where the old one was put aside.

    Raises:
        LibraryError: *source* is no backup of ours.
        DataInUse: a bot works in the folder; stop it first.
        ServiceDown: the backup is damaged or newer than this Footnote.
    """
    _check_is_ours(source)
    check_file(source, newest=len(read_migrations()))
    check_every_page(source)
    with lock_data(data_dir):
        path = data_dir / DATABASE_NAME
        partial = path.with_name(f"{path.name}.partial")
        shutil.copyfile(source, partial)
        partial.chmod(PRIVATE_FILE)
        aside = _put_aside(path)
        partial.replace(path)
        return aside


def _copy(origin: sqlite3.Connection, target: Path) -> None:
    with closing(sqlite3.connect(target)) as copy:
        origin.backup(copy)
        # A single file without a log beside it is what a person expects of a backup.
        copy.execute("PRAGMA journal_mode = DELETE")


def _check_is_ours(path: Path) -> None:
    """Told from the file's first bytes: to a person, a text file is no damaged database."""
    if not path.is_file():
        raise LibraryError(f"There is no file {path}.")
    with path.open("rb") as file:
        head = file.read(72)
    is_ours = head[68:72] == APPLICATION_ID.to_bytes(4, "big")
    if not (head.startswith(SQLITE_HEAD) and is_ours):
        raise LibraryError(f"{path} is not a backup made by Footnote.")


def _put_aside(path: Path) -> Path | None:
    """The log goes with its database: left behind, it would be played into the restored one."""
    if not path.exists():
        return None
    stamp = utc_now().replace(":", "").replace(".", "")
    aside = path.with_name(f"{path.name}.before-{stamp}")
    path.rename(aside)
    for log, kept in zip(log_files(path), log_files(aside), strict=True):
        if log.exists():
            log.rename(kept)
    return aside

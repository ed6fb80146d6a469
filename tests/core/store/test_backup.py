"""Everything can be copied while the bot runs, and brought back."""

import asyncio
import sqlite3
import stat
import sys
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import DataInUse, LibraryError, ServiceDown
from core.model import Place
from core.store.backup import backup, restore
from core.store.files import DATABASE_NAME
from core.store.library import Library
from core.store.opening import open_store
from tests.core.store.making import add_book, store_file, words


def names(folder: Path) -> list[str]:
    return [each.name for each in folder.iterdir()]


async def titles(data_dir: Path) -> list[str]:
    async with open_store(data_dir) as database:
        return [book.id for book in await Library(database).books(group=None)]


async def test_backup_is_made_while_the_bot_works_and_brought_back(tmp_path: Path) -> None:
    data, copy = tmp_path / "data", tmp_path / "backups" / "monday.db"
    async with open_store(data) as database:
        await add_book(Library(database), "kept")
        await store_file(Library(database), [words(1)], place=Place("kept"))
        async with database.write() as transaction:
            await transaction.execute("UPDATE books SET title = 'not committed yet'")
            await asyncio.to_thread(backup, data, copy)
        await add_book(Library(database), "later")

    aside = restore(data, copy)

    assert await titles(data) == ["kept"]
    assert aside is not None
    assert restore(data, aside) is not None
    assert await titles(data) == ["kept", "later"]


async def test_backup_comes_back_on_a_new_machine(tmp_path: Path) -> None:
    async with open_store(tmp_path / "old") as database:
        await add_book(Library(database), "kept")
    backup(tmp_path / "old", tmp_path / "copy.db")

    assert restore(tmp_path / "new", tmp_path / "copy.db") is None

    assert await titles(tmp_path / "new") == ["kept"]


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are kept otherwise there")
async def test_backup_is_for_its_owner_alone(tmp_path: Path) -> None:
    async with open_store(tmp_path):
        pass

    backup(tmp_path, tmp_path / "copy.db")

    assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == 0o600
    (tmp_path / "copy.db").chmod(0o644)

    restore(tmp_path / "new", tmp_path / "copy.db")

    assert stat.S_IMODE((tmp_path / "new" / DATABASE_NAME).stat().st_mode) == 0o600


async def test_damaged_database_is_not_taken_for_a_backup(tmp_path: Path) -> None:
    data = tmp_path / "data"
    async with open_store(data) as database:
        await add_book(Library(database))
        await store_file(Library(database), [words(1)])
    path = data / DATABASE_NAME
    content = path.read_bytes()
    path.write_bytes(content[:8192] + b"\xff" * 8192 + content[16384:])

    with pytest.raises(ServiceDown, match="damaged"):
        backup(data, tmp_path / "copy.db")

    assert names(tmp_path) == ["data"]


async def test_backup_overwrites_nothing(tmp_path: Path) -> None:
    async with open_store(tmp_path):
        pass
    (tmp_path / "copy.db").write_text("precious")

    with pytest.raises(LibraryError, match="exists already"):
        backup(tmp_path, tmp_path / "copy.db")

    assert (tmp_path / "copy.db").read_text() == "precious"


def test_nothing_to_back_up_is_said(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="no database"):
        backup(tmp_path, tmp_path / "copy.db")


async def test_running_bot_is_not_restored_under(tmp_path: Path) -> None:
    async with open_store(tmp_path) as database:
        await add_book(Library(database))
        await asyncio.to_thread(backup, tmp_path, tmp_path / "copy.db")

        with pytest.raises(DataInUse):
            restore(tmp_path, tmp_path / "copy.db")


async def test_what_is_no_backup_is_refused_and_nothing_changes(tmp_path: Path) -> None:
    data = tmp_path / "data"
    async with open_store(data) as database:
        await add_book(Library(database), "kept")
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE pens (id INTEGER)")
    text = tmp_path / "notes.txt"
    text.write_text("no database at all " * 100)
    damaged = tmp_path / "damaged.db"
    content = (data / DATABASE_NAME).read_bytes()
    damaged.write_bytes(content[:8192] + b"\xff" * 8192 + content[16384:])

    with pytest.raises(LibraryError, match="not a backup"):
        restore(data, other)
    with pytest.raises(LibraryError, match="not a backup"):
        restore(data, text)
    with pytest.raises(ServiceDown, match="damaged"):
        restore(data, damaged)
    with pytest.raises(LibraryError, match="no file"):
        restore(data, tmp_path / "nowhere.db")

    assert await titles(data) == ["kept"]

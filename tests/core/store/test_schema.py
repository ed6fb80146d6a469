"""Databases of earlier versions come forward, one step at a time, and never half a step."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import ServiceDown
from core.store.database import open_database
from core.store.files import DATABASE_NAME
from core.store.schema import Migration, read_migrations

FIRST = Migration(
    1, "CREATE TABLE pens (id INTEGER PRIMARY KEY, colour TEXT); INSERT INTO pens VALUES (1, 'red');"
)
SECOND = Migration(2, "ALTER TABLE pens ADD COLUMN is_empty INTEGER NOT NULL DEFAULT 0;")
BROKEN = Migration(2, "DELETE FROM pens; INSERT INTO nonsense VALUES (1);")
DANGLING = Migration(2, "CREATE TABLE caps (pen INTEGER REFERENCES pens (id)); INSERT INTO caps VALUES (99);")


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


async def test_database_of_an_earlier_version_comes_forward_with_its_rows(tmp_path: Path) -> None:
    path = tmp_path / DATABASE_NAME
    async with open_database(path, migrations=[FIRST]):
        pass

    async with open_database(path, migrations=[FIRST, SECOND]) as database:
        rows = await database.fetch_all("SELECT * FROM pens")

    assert [tuple(row) for row in rows] == [(1, "red", 0)]
    assert version(path) == 2


async def test_every_version_there_ever_was_comes_forward_to_the_newest(tmp_path: Path) -> None:
    newest = read_migrations()

    for known in range(1, len(newest) + 1):
        path = tmp_path / f"{known}.db"
        async with open_database(path, migrations=newest[:known]):
            pass
        async with open_database(path):
            pass
        assert version(path) == len(newest)


@pytest.mark.parametrize("second", [pytest.param(BROKEN, id="fails"), pytest.param(DANGLING, id="dangling row")])
async def test_migration_that_fails_leaves_the_version_before_it(tmp_path: Path, second: Migration) -> None:
    path = tmp_path / DATABASE_NAME
    async with open_database(path, migrations=[FIRST]):
        pass

    with pytest.raises((sqlite3.OperationalError, ValueError)):
        async with open_database(path, migrations=[FIRST, second]):
            pass

    assert version(path) == 1
    async with open_database(path, migrations=[FIRST]) as database:
        assert len(await database.fetch_all("SELECT * FROM pens")) == 1


async def test_file_of_a_newer_version_is_refused_and_not_changed(tmp_path: Path) -> None:
    path = tmp_path / DATABASE_NAME
    async with open_database(path, migrations=[FIRST, SECOND]):
        pass
    before = path.read_bytes()

    with pytest.raises(ServiceDown, match="newer Footnote"):
        async with open_database(path, migrations=[FIRST]):
            pass

    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(["0001_a.sql", "0003_b.sql"], id="a gap"),
        pytest.param(["0001_a.sql", "0001_b.sql"], id="the same number twice"),
        pytest.param(["0002_a.sql"], id="not from one"),
    ],
)
def test_misnumbered_migrations_are_refused(tmp_path: Path, names: list[str]) -> None:
    for name in names:
        (tmp_path / name).write_text("SELECT 1;")

    with pytest.raises(ValueError, match="without a gap"):
        read_migrations(tmp_path)

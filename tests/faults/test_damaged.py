"""A database too large to be looked through at every start, damaged in a page that is in use."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import ServiceDown
from core.store.database import open_database
from core.store.files import CHEAP_CHECK_BYTES, DATABASE_NAME, check_every_page
from tests.bot.adapters.discord.stage import make_stage as make_discord_stage
from tests.bot.adapters.slack.stage import make_stage as make_slack_stage
from tests.bot.adapters.slack.stage import texts
from tests.bot.scripted import WAIT
from tests.empty_database import put_empty_database
from tests.fakes.discord import LocalDiscord
from tests.fakes.discord.checks import text_of
from tests.fakes.slack import LocalSlack
from tests.logged import fields, logged

TOLD = "My memory is damaged. Please tell whoever runs me"
HELPS = "footnote restore FILE"


async def damaged_in(name: str, folder: Path) -> Path:
    """A large database of which a page that is in use was overwritten."""
    path = await put_empty_database(folder / DATABASE_NAME)
    make_large(path)
    damage(path, name)
    return path


def make_large(path: Path) -> None:
    """Fill the file beyond what is looked through at each start."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE filler (bytes BLOB)")
        connection.execute("INSERT INTO filler VALUES (zeroblob(?))", (CHEAP_CHECK_BYTES,))
        connection.commit()
    assert path.stat().st_size > CHEAP_CHECK_BYTES


def damage(path: Path, name: str) -> None:
    """Overwrite the first page of a table or an index."""
    with closing(sqlite3.connect(path)) as connection:
        [page] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()
        [size] = connection.execute("PRAGMA page_size").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)


WHERE = pytest.mark.parametrize("table", ["turns", "sessions"])
"""What is read when a question is stored, and when it is answered."""


@WHERE
async def test_on_discord_a_member_is_told_in_words_that_the_database_is_damaged(
    discord: LocalDiscord, tmp_path: Path, caplog: pytest.LogCaptureFixture, table: str
) -> None:
    async with open_database(await damaged_in(table, tmp_path)) as database:
        stage = await make_discord_stage(discord, database, tmp_path)
        async with stage.bot():
            asked = await stage.ask()
            place = stage.general["id"] if table == "turns" else asked["id"]
            told = await discord.until_said(place, TOLD)

    assert any(str(reference) in text_of(told) for reference in fields(caplog, "reference"))
    assert "Traceback" not in text_of(told)
    assert HELPS in caplog.text


@WHERE
async def test_on_slack_a_member_is_told_in_words_that_the_database_is_damaged(
    slack: LocalSlack, tmp_path: Path, caplog: pytest.LogCaptureFixture, table: str
) -> None:
    async with open_database(await damaged_in(table, tmp_path)) as database:
        stage = await make_slack_stage(slack, database, tmp_path)
        async with stage.bot():
            slack.sockets.ack_seconds = 1.0
            asked = stage.ask()
            told = await slack.until(
                lambda: next(
                    (
                        each
                        for each in slack.world.replies(stage.general, asked["ts"])
                        if TOLD in texts(each["blocks"])
                    ),
                    None,
                )
            )

    assert any(str(reference) in texts(told["blocks"]) for reference in fields(caplog, "reference"))
    assert HELPS in caplog.text


async def test_whoever_talks_with_others_is_told_nothing_though_it_cannot_be_looked_up(
    discord: LocalDiscord, slack: LocalSlack, tmp_path: Path
) -> None:
    """Whether a thread is ours is looked up in the page that is damaged."""
    async with open_database(await damaged_in("turns_by_place", tmp_path)) as database:
        on_discord = await make_discord_stage(discord, database, tmp_path)
        on_slack = await make_slack_stage(slack, database, tmp_path)
        thread = discord.world.add_thread(on_discord.general, "Among us", owner_id=on_discord.bob["id"])
        claim = slack.people.says(on_slack.bob, on_slack.general, "A topic is a service.")
        async with on_discord.bot(), on_slack.bot():
            slack.sockets.ack_seconds = 1.0
            await discord.gateway.tell("THREAD_CREATE", {**thread, "newly_created": True})
            with logged("a message could not be stored") as failed:
                await discord.people.say(on_discord.bob, thread, "I think so, too")
                await asyncio.wait_for(failed.wait(), WAIT)
            slack.people.says(on_slack.ann, on_slack.general, "I think so, too", thread=claim["ts"])
            await asyncio.gather(*slack.people.deliveries)
            # Whatever would be said to them comes before this.
            await on_discord.ask()
            await discord.until_said(on_discord.general["id"], TOLD)
            asked = on_slack.ask()
            await slack.until(lambda: slack.world.replies(on_slack.general, asked["ts"]))

    assert discord.said(thread["id"]) == []
    assert slack.world.replies(on_slack.general, claim["ts"]) == []


async def test_words_that_are_none_any_more_are_damage_and_not_repeated(tmp_path: Path) -> None:
    path = await put_empty_database(tmp_path / DATABASE_NAME)
    async with open_database(path) as database:
        await database.write_one(
            "INSERT INTO books (id, title, created_at, updated_at) VALUES ('a', 'SECRET', '', '')"
        )
    path.write_bytes(path.read_bytes().replace(b"SECRET", b"SECRE\xff"))

    async with open_database(path) as database:
        with pytest.raises(ServiceDown, match="footnote restore") as caught:
            await database.fetch_all("SELECT title FROM books")

    assert caught.value.details["problem"] == "damaged"
    assert caught.value.__cause__ is None
    assert "SECRE" not in str(caught.value)


async def test_looking_at_every_page_finds_damage_that_the_start_does_not_look_for(tmp_path: Path) -> None:
    path = await damaged_in("feedback", tmp_path)
    async with open_database(path):
        pass

    with pytest.raises(ServiceDown, match="footnote restore"):
        check_every_page(path)

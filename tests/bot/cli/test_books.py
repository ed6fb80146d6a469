"""Books, conversations and jobs are shown and removed, for people and for scripts."""

import asyncio
from pathlib import Path

import pytest

from bot.uploads import UPLOADS, Uploads
from core.model import Answer, Confidence, Question, SessionKey
from core.store.files import DATABASE_NAME
from core.store.jobs import Jobs
from core.store.library import Library
from core.store.opening import open_store
from core.store.sessions import Sessions
from tests.bot.cli.conftest import Footnote
from tests.core.store.making import add_book, store_file, words

KEY = SessionKey("discord", "discord:1", "general", "1")


async def fill(data_dir: Path) -> str:
    """A book, a conversation and a failed job; the conversation's id."""
    async with open_store(data_dir) as database:
        await add_book(Library(database), title="Robots \x1b[31mred")
        await store_file(Library(database), [words(1), words(2)])
        sessions = Sessions(database, model="extractive")
        session = await sessions.open(Question("Who is zebrafinch?", key=KEY))
        await sessions.remember(
            session.id,
            question=Question("Who is zebrafinch?", key=KEY, selected_text="A bird."),
            answer=Answer("A bird.", (), Confidence.none(), session.id),
            retrievals=[],
        )
        jobs = Jobs(database)
        await jobs.create(book="ros", source="books/ros")
        job = await jobs.claim()
        assert job is not None
        await jobs.add_error(job.id, "b.md", "It is not text.")
        await jobs.fail(job, "The folder is gone.")
        return session.id


@pytest.fixture
def session_id(data_dir: Path) -> str:
    return asyncio.run(fill(data_dir))


@pytest.mark.usefixtures("session_id")
def test_books_are_listed_for_people_and_for_scripts(footnote: Footnote) -> None:
    shown, document = footnote("books"), footnote("books", "--json").document

    assert "ros" in shown.out
    assert "\x1b" not in shown.out
    [book] = document["books"]
    assert (book["book_id"], book["lessons"], book["chunks"]) == ("ros", 1, 2)
    assert footnote("books", "list", "--json").document == document


def test_empty_library_says_how_to_add_a_book(footnote: Footnote) -> None:
    assert "footnote ingest" in footnote("books").err
    assert footnote("books", "--json").document == {"books": []}


@pytest.mark.usefixtures("session_id")
def test_outline_of_a_book_is_shown(footnote: Footnote) -> None:
    document = footnote("books", "show", "ros", "--json").document

    assert [lesson["title"] for lesson in document["outline"]] == ["Topics and messages"]
    assert "Topics and messages" in footnote("books", "show", "ros").out


@pytest.mark.usefixtures("session_id")
def test_book_is_removed_only_when_one_is_sure(footnote: Footnote) -> None:
    unknown = footnote("books", "remove", "nowhere", stdin="y\n")
    refused = footnote("books", "remove", "ros", stdin="n\n")
    unasked = footnote("books", "remove", "ros", "--json")
    still_there = footnote("books", "--json").document["books"]
    done = footnote("books", "remove", "ros", "--yes")

    assert (unknown.code, refused.code, unasked.code, len(still_there)) == (2, 1, 2, 1)
    assert "--yes" in unasked.document["message"]
    assert "Remove Robots" in refused.out
    assert "\x1b" not in refused.out
    assert (done.code, footnote("books", "--json").document["books"]) == (0, [])


@pytest.mark.usefixtures("session_id")
def test_what_was_handed_in_for_a_book_goes_with_it(footnote: Footnote, data_dir: Path) -> None:
    for book in ("ros", "other"):
        (data_dir / UPLOADS / book).mkdir(parents=True)
        (data_dir / UPLOADS / book / "book.md").write_text("# A book")

    footnote("books", "remove", "ros", "--yes")

    assert [each.name for each in (data_dir / UPLOADS).iterdir()] == ["other"]


async def test_no_id_leads_out_of_the_folder_of_uploads(tmp_path: Path) -> None:
    (tmp_path / UPLOADS).mkdir()

    for book in ("..", ".", "", "nowhere"):
        await Uploads(tmp_path / UPLOADS).remove(book)

    assert (tmp_path / UPLOADS).is_dir()


def test_conversations_are_listed_and_shown(footnote: Footnote, session_id: str) -> None:
    listed = footnote("sessions", "--json").document["sessions"]
    shown = footnote("sessions", "show", session_id, "--json").document

    assert [session["session_id"] for session in listed] == [session_id]
    assert [message["role"] for message in shown["messages"]] == ["user", "assistant"]
    assert shown["messages"][0]["selected_text"] == "A bird."
    assert "zebrafinch" in footnote("sessions", "show", session_id).out
    assert footnote("sessions", "--group", "slack:T1", "--json").document == {"sessions": []}


def test_conversation_is_forgotten_for_real(footnote: Footnote, session_id: str, data_dir: Path) -> None:
    assert b"zebrafinch" in (data_dir / DATABASE_NAME).read_bytes()

    unasked = footnote("sessions", "forget", session_id, "--json")
    is_still_there = b"zebrafinch" in (data_dir / DATABASE_NAME).read_bytes()
    done = footnote("sessions", "forget", session_id, "--yes", "--json")

    assert (unasked.code, is_still_there) == (2, True)
    assert (done.code, done.document) == (0, {"session_id": session_id, "forgotten": True})
    assert b"zebrafinch" not in (data_dir / DATABASE_NAME).read_bytes()
    assert footnote("sessions", "show", session_id).code == 2


@pytest.mark.usefixtures("session_id")
def test_jobs_are_listed_and_shown_with_what_failed(footnote: Footnote) -> None:
    [job] = footnote("jobs", "--json").document["jobs"]
    shown = footnote("jobs", "show", str(job["job_id"]))

    assert (job["status"], job["book_id"]) == ("failed", "ros")
    assert "The folder is gone." in shown.out
    assert "b.md: It is not text." in shown.out
    assert footnote("jobs", "show", "99").code == 1
    assert "already ended" in footnote("jobs", "cancel", str(job["job_id"])).err


def test_job_in_the_queue_of_a_running_bot_is_cancelled(footnote: Footnote, data_dir: Path) -> None:
    async def cancel() -> tuple[int, str]:
        async with open_store(data_dir) as database:
            job = await Jobs(database).create(book="ros", source="x")
            done = await asyncio.to_thread(footnote, "jobs", "cancel", str(job.id), "--json")
            return done.code, str((await Jobs(database).get(job.id)).status)

    assert asyncio.run(cancel()) == (0, "cancelled")


@pytest.mark.usefixtures("session_id")
def test_what_is_there_can_be_read_while_a_bot_runs_but_not_changed(footnote: Footnote, data_dir: Path) -> None:
    async def look() -> tuple[int, int, str]:
        async with open_store(data_dir):
            seen = await asyncio.to_thread(footnote, "books", "--json")
            removed = await asyncio.to_thread(footnote, "books", "remove", "ros", "--yes")
            return seen.code, removed.code, removed.err

    seen, removed, told = asyncio.run(look())

    assert (seen, removed) == (0, 1)
    assert "Another Footnote" in told


@pytest.mark.usefixtures("session_id")
def test_backup_is_made_and_brought_back(footnote: Footnote, tmp_path: Path) -> None:
    saved = footnote("backup", "copy.db", "--json")
    footnote("books", "remove", "ros", "--yes")
    restored = footnote("restore", str(tmp_path / "copy.db"))

    assert saved.document["bytes"] > 0
    assert restored.code == 0
    assert "footnote reindex" in restored.err
    assert len(footnote("books", "--json").document["books"]) == 1
    assert footnote("backup", "copy.db").code == 1


def test_table_in_a_pipe_is_one_line_a_row_with_tabs(footnote: Footnote, session_id: str) -> None:
    [line] = footnote("sessions").out.splitlines()

    assert line.split("\t")[0] == session_id

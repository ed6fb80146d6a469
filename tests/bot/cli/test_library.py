"""A book goes in, is found and answers, through the command alone."""

import asyncio
import json
import shutil
from pathlib import Path

import pytest

from bot.cli.neighbour import ADDRESS_NAME, announce
from core.ingestion.runner import Runner
from core.store.datalock import lock_data
from core.wiring import open_core
from tests.bot.cli.conftest import Footnote, Outcome
from tests.bot.cli.tiny import QUICK, quick, write_pages


@pytest.fixture
def filled(tiny_library: Path, data_dir: Path) -> None:
    """The book is in the library already."""
    shutil.copytree(tiny_library, data_dir)


def test_book_is_ingested_and_the_second_time_skipped(footnote: Footnote, tiny_book: Path) -> None:
    first = footnote(
        "ingest", str(tiny_book), "--book", "tiny", "--base-url", "https://example.org", "--json", **QUICK
    )
    second = footnote("ingest", str(tiny_book), "--book", "tiny", "--json", **QUICK)

    assert (first.code, first.document["status"], first.document["files_processed"]) == (0, "completed", 2)
    assert first.document["chunks_created"] >= 2
    assert (second.document["files_processed"], second.document["files_skipped"]) == (0, 2)


def test_what_was_noticed_in_the_files_is_told(footnote: Footnote, tmp_path: Path) -> None:
    book = write_pages(tmp_path / "book")
    lesson = book / "basics" / "topics.md"
    lesson.write_text(f"---\nhardware_tier: 9\n---\n{lesson.read_text()}")

    taken_in = footnote("ingest", str(book), "--book", "tiny", **QUICK)
    shown = footnote("books", "show", "tiny")

    assert "One thing was noticed in its files. To see: footnote books show tiny" in taken_in.err
    assert "basics/topics.md: Hardware tier 9 is not one of 1 to 4; 4 is used." in shown.out
    assert footnote("books", "show", "tiny", "--json").document["remarks"] == [
        {
            "source_file": "basics/topics.md",
            "message": "Hardware tier 9 is not one of 1 to 4; 4 is used.",
        }
    ]


def test_source_that_is_not_there_is_named(footnote: Footnote) -> None:
    done = footnote("ingest", "nowhere", "--json", **QUICK)

    assert done.code == 1
    assert "nowhere" in done.document["message"]


@pytest.mark.parametrize("book", ["bad id!", "..", "a/b", "-x", "bücher"])
def test_id_that_cannot_stand_in_an_address_is_refused(footnote: Footnote, tiny_book: Path, book: str) -> None:
    done = footnote("ingest", str(tiny_book), f"--book={book}", "--json", **QUICK)

    assert (done.code, done.document["details"]["found"]) == (2, book)
    assert "Try: --book " in done.document["message"]


@pytest.mark.usefixtures("filled")
def test_passages_are_found_with_everything_the_contract_names(footnote: Footnote) -> None:
    done = footnote("search", "lost message sent again", "--book", "tiny", "--limit", "1", "--json", **QUICK)

    assert done.code == 0
    assert set(done.document) == {"query", "results", "total_found", "filters"}
    [result] = done.document["results"]
    assert "lost message" in result["text"]
    assert result["source_file"] == "basics/topics.md"
    assert 0.0 <= result["score"] <= 1.0
    assert {"section_title", "module", "chapter", "lesson", "url", "chunk_index"} <= set(result)
    assert done.document["filters"] == {"books": ["tiny"]}


@pytest.mark.usefixtures("filled")
def test_filters_narrow_a_search(footnote: Footnote) -> None:
    def found(*words: str) -> set[str]:
        document = footnote("search", "nodes", "--json", *words, **QUICK).document
        return {result["source_file"] for result in document["results"]}

    assert found("--level", "C2", "--level", "a2") == {"basics/topics.md", "basics/services.md"}
    assert found("--chapter-min", "90") == set()


@pytest.mark.usefixtures("filled")
def test_person_reads_passages_with_their_place(footnote: Footnote) -> None:
    done = footnote("search", "lost message", **QUICK)

    assert "1. " in done.out
    assert "Topics" in done.out


@pytest.mark.usefixtures("filled")
def test_question_is_answered_and_goes_on_in_its_session(footnote: Footnote) -> None:
    first = footnote("ask", "What is a topic?", "--book", "tiny", "--json", **QUICK)
    session = first.document["session_id"]
    second = footnote("ask", "And what is a service?", "--session", session, "--json", **QUICK)

    assert (first.code, first.document["should_answer"]) == (0, True)
    assert "named channel" in first.document["text"]
    assert first.document["citations"][0]["source_file"] == "basics/topics.md"
    assert second.document["session_id"] == session
    assert len(footnote("sessions", "show", session, "--json").document["messages"]) == 4


@pytest.mark.usefixtures("filled")
def test_refusal_is_an_answer_and_no_failure(footnote: Footnote) -> None:
    done = footnote("ask", "Who won the football world cup in 1954?", "--json", **QUICK)

    assert (done.code, done.document["should_answer"], done.document["citations"]) == (0, False, [])


@pytest.mark.usefixtures("filled")
def test_person_reads_the_answer_and_its_sources(footnote: Footnote) -> None:
    done = footnote("ask", "-", stdin="What is a topic?", **QUICK)

    assert "named channel" in done.out
    assert "] Topics" in done.out
    assert "\x1b" not in done.out


@pytest.mark.usefixtures("filled")
def test_book_that_is_not_there_is_wrong_use(footnote: Footnote) -> None:
    done = footnote("ask", "What is a topic?", "--book", "other", "--json", **QUICK)

    assert (done.code, done.document["error"]) == (2, "unknown_book")


def test_empty_library_says_how_to_add_a_book_when_asked(footnote: Footnote) -> None:
    done = footnote("ask", "What is a topic?", **QUICK)

    assert done.code == 1
    assert "footnote ingest" in done.err


@pytest.mark.usefixtures("filled")
def test_index_is_made_anew_from_the_library(footnote: Footnote, data_dir: Path) -> None:
    shutil.rmtree(data_dir / "index")
    missing = footnote("doctor", "--json", **QUICK)
    done = footnote("reindex", "--json", **QUICK)

    assert missing.code == 1
    assert done.code == 0, done.out
    assert [job["status"] for job in done.document["jobs"]] == ["completed"]
    assert footnote("search", "lost message", "--json", **QUICK).document["results"]


def test_running_bot_does_the_work_and_the_command_follows(
    footnote: Footnote, tiny_book: Path, data_dir: Path
) -> None:
    async def with_a_bot() -> Outcome:
        async with open_core(quick(data_dir)) as core:
            announce(core.settings)
            bot = asyncio.create_task(Runner(jobs=core.jobs, ingestion=core.ingestion).run())
            done = await asyncio.to_thread(footnote, "ingest", str(tiny_book), "--book", "tiny", "--json", **QUICK)
            bot.cancel()
            await asyncio.gather(bot, return_exceptions=True)
            return done

    done = asyncio.run(with_a_bot())

    assert (done.code, json.loads(done.out)["status"]) == (0, "completed")
    assert footnote("books", "--json").document["books"][0]["chunks"] >= 2


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("words", [("ingest", "book", "--book", "tiny"), ("reindex", "tiny")], ids=lambda w: w[0])
def test_no_job_is_left_to_a_process_that_takes_up_none(
    footnote: Footnote, data_dir: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    write_pages(tmp_path / "book")
    killed_bots_address = data_dir / ADDRESS_NAME
    killed_bots_address.write_text("127.0.0.1 8765 1")

    with lock_data(data_dir):
        done = footnote(*words, "--json", **QUICK)
        waiting = footnote("jobs", "--json").document["jobs"]

    assert (done.code, done.document["error"]) == (1, "data_in_use")
    assert [job["status"] for job in waiting] == ["completed"]


CHAT = """\
What is a topic?
/reply 2 Is that right?
/sources 2
/new What is a service?
/threads
/open 1
/search lost message limit:1
/use other
/use tiny
/reply 99 Why?
/nonsense
/help
/quit
never read
"""


@pytest.mark.usefixtures("filled")
def test_chat_in_a_pipe_is_plain_lines_from_beginning_to_end(footnote: Footnote) -> None:
    done = footnote("chat", stdin=CHAT, **QUICK)

    assert done.code == 0
    assert "\x1b" not in done.out
    expected = [
        "> What is a topic?",
        "2. Footnote",
        "named channel",
        "> /reply 2 Is that right?",
        "4. Footnote",
        "> /sources 2",
        "[1] ",
        "A new thread.",
        "2. Footnote",
        "1. What is a service?",
        "2. What is a topic?",
        "1. You",
        "lost message: ",
        "There is no book “other” here.",
        "This thread reads tiny.",
        "Write /reply N question",
        "There is no /nonsense.",
        "/threads",
    ]
    position = 0
    for words in expected:
        position = done.out.find(words, position)
        assert position >= 0, words
    assert "never read" not in done.out


@pytest.mark.usefixtures("filled")
def test_thread_that_is_forgotten_in_chat_is_gone(footnote: Footnote) -> None:
    done = footnote("chat", stdin="What is a topic?\n/forget\n/threads\n", **QUICK)

    assert "Forgotten" in done.out
    assert "There are no threads yet." in done.out
    assert footnote("sessions", "--json").document == {"sessions": []}

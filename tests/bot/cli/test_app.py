"""The command as a whole: help at once, examples, exit codes."""

import subprocess
import sys

import pytest

from tests.bot.cli.conftest import Footnote

COMMANDS = [
    "run",
    "chat",
    "ask",
    "search",
    "ingest",
    "reindex",
    "backup",
    "restore",
    "doctor",
    "eval",
    "books",
    "sessions",
    "jobs",
]


def test_help_comes_at_once_and_without_the_heavy_packages() -> None:
    """Half a second is what a person waits for help without wondering."""
    code = (
        "import sys, time; from bot.__main__ import main; sys.argv = ['footnote', '--help']\n"
        "try: main()\n"
        "finally:\n"
        "    print(sorted({'numpy', 'onnxruntime', 'openai', 'discord', 'qdrant_edge'} & set(sys.modules)))\n"
        "    print(time.process_time())"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    *shown, heavy, seconds = done.stdout.splitlines()
    assert "Usage: footnote" in "\n".join(shown)
    assert heavy == "[]"
    assert float(seconds) < 2, "of a processor, so that a machine that is busy otherwise makes no difference"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_with_an_example(footnote: Footnote, command: str) -> None:
    done = footnote(command, "--help")

    assert done.code == 0
    assert f"footnote {command}" in done.out.replace(f"Usage: footnote {command}", "")


def test_without_a_command_help_is_shown(footnote: Footnote) -> None:
    done = footnote()

    assert all(command in done.out + done.err for command in COMMANDS)


def test_version_is_told(footnote: Footnote) -> None:
    assert footnote("--version").out.startswith("footnote 0.")


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["dance"], id="no such command"),
        pytest.param(["search"], id="nothing to search for"),
        pytest.param(["search", "x", "--colour", "red"], id="no such option"),
        pytest.param(["ingest", ".", "--mode", "sideways"], id="no such mode"),
        pytest.param(["search", "ab"], id="too few characters"),
        pytest.param(["search", "topics", "--tier", "5"], id="no such tier"),
        pytest.param(["search", "topics", "--level", "Z9"], id="no such level"),
        pytest.param(["search", "topics", "--chapter-min", "3", "--chapter-max", "2"], id="chapters backwards"),
        pytest.param(["ask", "  "], id="an empty question"),
        pytest.param(["ask", "x" * 2001], id="a question too long"),
        pytest.param(["ask", "Why?", "--top-k", "0"], id="no passages"),
        pytest.param(["ask", "Why?", "--session", "mine"], id="no session id"),
        pytest.param(["sessions", "show", "nothing"], id="no such session"),
        pytest.param(["books", "show", "nothing"], id="no such book"),
    ],
)
def test_wrong_use_leaves_with_two_and_says_why(footnote: Footnote, words: list[str]) -> None:
    done = footnote(*words)

    assert done.code == 2
    assert done.err
    assert done.out == ""


def test_error_of_a_json_command_is_a_document_too(footnote: Footnote) -> None:
    done = footnote("ask", "x" * 2001, "--json")

    assert done.code == 2
    assert done.document["error"] == "invalid"
    assert "2001" in done.document["message"]
    assert done.document["details"]["max"] == 2000


def test_settings_that_cannot_be_used_are_told_all_at_once(footnote: Footnote) -> None:
    done = footnote("books", FOOTNOTE_PORT="http", AGENT_TOP_K="99")

    assert done.code == 78
    assert "FOOTNOTE_PORT" in done.err
    assert "AGENT_TOP_K" in done.err


def test_secret_that_is_wrong_is_not_shown(footnote: Footnote) -> None:
    done = footnote("books", SLACK_BOT_TOKEN="xoxb-very-secret")

    assert done.code == 78
    assert "very-secret" not in done.out + done.err

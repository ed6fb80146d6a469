"""The doctor says what is wrong, what to do, and no secret."""

import asyncio
import shutil
import socket
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.cli.doctor.keys import check_keys
from bot.cli.doctor.library import check_weights
from bot.cli.doctor.machine import check_env_file
from core.settings import Settings
from core.store.files import DATABASE_NAME
from core.store.opening import open_store
from tests.bot.cli.conftest import Footnote, Outcome
from tests.bot.cli.tiny import QUICK
from tests.faults.test_damaged import damage, make_large

DISCORD = "MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.abcdefghijklmnopqrstuvwxyz0123"


def state(done: Outcome, name: str) -> tuple[str, str]:
    """How a part is, and what is said about it."""
    [check] = [check for check in done.document["checks"] if check["name"] == name]
    return check["state"], f"{check['found']} {check['advice']}"


@pytest.fixture
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def examine(footnote: Footnote, port: int, **environ: str) -> Outcome:
    return footnote("doctor", "--json", FOOTNOTE_PORT=str(port), **environ)


def test_every_part_is_looked_at(footnote: Footnote, free_port: int) -> None:
    done = examine(footnote, free_port)

    looked_at = {check["name"] for check in done.document["checks"]}
    assert looked_at >= {
        "python",
        "packages",
        "settings",
        "data folder",
        "disk",
        "discord",
        "slack",
        "model",
        "cohere",
        "embedder",
        "reranker",
        "bot",
        "port",
        "database",
        "index",
    }
    assert state(done, "database") == ("warning", "no book yet Add one: footnote ingest PATH --book ID")


@pytest.mark.parametrize(
    ("environ", "name", "told"),
    [
        pytest.param({"DISCORD_TOKEN": DISCORD}, "discord", ("ok", "well-formed"), id="a Discord token"),
        pytest.param({"DISCORD_TOKEN": "secret secret"}, "discord", ("broken", "space"), id="not a Discord token"),
        pytest.param(
            {"SLACK_BOT_TOKEN": "xoxb-secret", "SLACK_APP_TOKEN": "xapp-secret"},
            "slack",
            ("ok", "well-formed"),
            id="Slack tokens",
        ),
        pytest.param(
            {"SLACK_BOT_TOKEN": "xapp-secret", "SLACK_APP_TOKEN": "xoxb-secret"},
            "slack",
            ("broken", "xoxb-"),
            id="Slack tokens the wrong way round",
        ),
        pytest.param({"OPENAI_API_KEY": "sk-secret"}, "model", ("ok", "well-formed"), id="an OpenAI key"),
        pytest.param({"OPENAI_API_KEY": "secret"}, "model", ("warning", "sk-"), id="not an OpenAI key"),
        pytest.param(
            {"OPENAI_API_KEY": "secret", "OPENAI_BASE_URL": "http://me:secret@localhost:11434/v1"},
            "model",
            ("ok", "at localhost"),
            id="another service's key",
        ),
        pytest.param({"COHERE_API_KEY": "secret"}, "cohere", ("warning", "6 characters"), id="a short Cohere key"),
    ],
)
def test_keys_are_judged_by_their_form_and_never_shown(
    environ: dict[str, str], name: str, told: tuple[str, str]
) -> None:
    checks = check_keys(Settings.from_env(environ))

    [check] = [check for check in checks if check.name == name]
    assert check.state == told[0]
    assert told[1] in f"{check.found} {check.advice}"
    assert "secret" not in f"{checks}"


def test_broken_key_is_told_without_showing_it(footnote: Footnote, free_port: int) -> None:
    done = footnote("doctor", FOOTNOTE_PORT=str(free_port), DISCORD_TOKEN="very-secret")

    assert done.code == 1
    assert "BROKEN discord" in done.out
    assert "→ Copy it again" in done.out
    assert "1 broken." in done.out
    assert "very-secret" not in done.out + done.err


def test_port_that_another_program_uses_is_named(footnote: Footnote, taken_port: int) -> None:
    done = examine(footnote, taken_port)

    assert done.code == 1
    assert "FOOTNOTE_PORT" in state(done, "port")[1]


def test_the_port_for_slacks_calls_is_looked_at_where_slack_calls_us(
    footnote: Footnote, free_port: int, taken_port: int
) -> None:
    slack = {"SLACK_BOT_TOKEN": "xoxb-1-2-abc", "SLACK_SIGNING_SECRET": "0123456789abcdef0123456789abcdef"}
    slack["SLACK_HTTP_PORT"] = str(taken_port)

    called = examine(footnote, free_port, **slack)
    connected = examine(footnote, free_port, **slack, SLACK_APP_TOKEN="xapp-1-A-2-abc")

    assert state(called, "slack port")[0] == "broken"
    assert "SLACK_HTTP_PORT" in state(called, "slack port")[1]
    assert "slack port" not in {check["name"] for check in connected.document["checks"]}


def test_bot_that_runs_is_named_and_left_alone(footnote: Footnote, data_dir: Path, free_port: int) -> None:
    async def look() -> Outcome:
        async with open_store(data_dir):
            return await asyncio.to_thread(examine, footnote, free_port)

    done = asyncio.run(look())

    assert "running (process" in state(done, "bot")[1]
    assert "not looked at" in state(done, "index")[1]


def test_damaged_database_is_broken_and_the_way_back_is_told(
    footnote: Footnote, data_dir: Path, free_port: int
) -> None:
    footnote("books")
    path = data_dir / DATABASE_NAME
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * 8192 + content[12288:])

    done = examine(footnote, free_port)

    assert done.code == 1
    assert "footnote restore" in state(done, "database")[1]


@pytest.mark.parametrize("table", ["turns", "chunks", "filler"])
def test_damage_in_a_large_database_is_found_in_whatever_page_it_is(
    footnote: Footnote, data_dir: Path, free_port: int, table: str
) -> None:
    footnote("books")
    path = data_dir / DATABASE_NAME
    make_large(path)
    damage(path, table)

    done = examine(footnote, free_port)

    assert done.code == 1
    assert state(done, "database")[0] == "broken"
    assert "footnote restore" in state(done, "database")[1]


def test_folder_that_cannot_be_written_is_broken(footnote: Footnote, tmp_path: Path, free_port: int) -> None:
    (tmp_path / "file").write_text("in the way")

    done = examine(footnote, free_port, FOOTNOTE_DATA_DIR=str(tmp_path / "file" / "data"))

    assert done.code == 1
    assert "FOOTNOTE_DATA_DIR" in state(done, "data folder")[1]


def test_every_wrong_setting_is_told(footnote: Footnote) -> None:
    done = footnote("doctor", "--json", FOOTNOTE_PORT="http", AGENT_TOP_K="99")

    problems = [check["found"] for check in done.document["checks"] if check["name"] == "settings"]
    assert done.code == 1
    assert {problem.split()[0] for problem in problems} == {"FOOTNOTE_PORT", "AGENT_TOP_K"}


def test_file_of_keys_that_others_can_read_is_told(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("AGENT_TOP_K=5\n")
    file.chmod(0o644)
    open_to_all = check_env_file(file)
    file.chmod(0o600)

    assert open_to_all.state == "warning"
    assert "chmod 600" in open_to_all.advice
    assert check_env_file(file).state == "ok"


@pytest.mark.parametrize(
    ("environ", "told"),
    [
        pytest.param({"FOOTNOTE_EMBEDDER": "embedded"}, "weights checked, 34 MB", id="embedded"),
        pytest.param({"FOOTNOTE_EMBEDDER": "static"}, "weights checked, 18 MB", id="static"),
        pytest.param({"FOOTNOTE_EMBEDDER": "openai", "OPENAI_API_KEY": "sk-x"}, "openai, by its key", id="OpenAI"),
    ],
)
def test_embedder_in_use_is_looked_at(environ: dict[str, str], told: str) -> None:
    [embedder] = [check for check in check_weights(Settings.from_env(environ)) if check.name == "embedder"]

    assert embedder.found == told


def test_index_that_lacks_passages_or_belongs_to_another_model_is_broken(
    footnote: Footnote, tiny_library: Path, data_dir: Path, free_port: int
) -> None:
    shutil.copytree(tiny_library, data_dir)
    sound = state(examine(footnote, free_port, **QUICK), "index")

    with closing(sqlite3.connect(data_dir / DATABASE_NAME)) as database, database:
        database.execute("UPDATE books SET embedding_model = 'other'")
    foreign = state(examine(footnote, free_port, **QUICK), "index")
    shutil.rmtree(data_dir / "index")
    empty = state(examine(footnote, free_port, **QUICK), "index")

    assert sound[0] == "ok"
    assert (foreign[0], "tiny (other)" in foreign[1], "footnote reindex" in foreign[1]) == ("broken", True, True)
    assert (empty[0], "missing of: tiny" in empty[1]) == ("broken", True)

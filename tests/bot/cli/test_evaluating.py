"""`footnote eval` through the whole product, on a pack of two questions."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.cli.app import make_app
from tests.bot.cli.tiny import QUICK

PAGE = """# Nodes

A node is a process that does one job. Nodes exchange messages over topics.

# Topics

A topic is a named channel on which nodes publish messages of one type.
"""


def make_pack(folder: Path) -> Path:
    (folder / "corpus").mkdir(parents=True)
    (folder / "corpus" / "nodes.md").write_text(PAGE, encoding="utf-8")
    quote = "A topic is a named channel on which nodes publish messages of one type."
    rows = [
        {
            "id": "known",
            "question": "What is a topic?",
            "type": "fact",
            "answerable": True,
            "answers": ["a named channel"],
            "gold": [{"file": "nodes.md", "quote": quote}],
        },
        {"id": "off", "question": "Who won the cup final?", "type": "offtopic", "answerable": False},
    ]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "questions.dev.jsonl").write_text(lines, encoding="utf-8")
    return folder


@pytest.mark.models
def test_a_pack_is_asked_once_scored_and_resumed(tmp_path: Path) -> None:
    pack, out = make_pack(tmp_path / "pack"), tmp_path / "results.jsonl"
    command = ["eval", str(pack), "--out", str(out), "--json"]
    environment = {"FOOTNOTE_DATA_DIR": str(tmp_path / "data"), "OPENAI_API_KEY": "", "OPENAI_BASE_URL": ""}

    first = CliRunner().invoke(make_app(), command, env=environment)
    written = out.read_text(encoding="utf-8")
    again = CliRunner().invoke(make_app(), command, env=environment)

    assert first.exit_code == 0, first.output
    scores = json.loads(first.stdout)["scores"]
    assert scores["recall@5"] == scores["answer_contains_gold"] == scores["cites_gold"] == 1.0
    assert scores["refused_of_offtopic"] == 1.0
    assert [json.loads(line)["id"] for line in written.splitlines()] == ["known", "off"]
    assert json.loads(again.stdout)["scores"]["auroc_offtopic"] == scores["auroc_offtopic"]
    assert out.read_text(encoding="utf-8") == written


def test_a_folder_that_is_no_pack_is_told_in_a_sentence(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        make_app(), ["eval", str(tmp_path), "--json"], env={"FOOTNOTE_DATA_DIR": str(tmp_path / "data")}
    )

    assert result.exit_code == 1
    assert "corpus" in json.loads(result.stdout)["message"]


def make_longer_pack(folder: Path, *, questions: int) -> Path:
    make_pack(folder)
    row = json.loads((folder / "questions.dev.jsonl").read_text(encoding="utf-8").splitlines()[0])
    rows = [{**row, "id": f"q{number}"} for number in range(questions)]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "questions.dev.jsonl").write_text(lines, encoding="utf-8")
    return folder


@contextmanager
def model_server(*options: str) -> Iterator[str]:
    """The local model as a process of its own; gives its address."""
    command = [sys.executable, "-m", "tests.fakes.llm_server", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[0].removeprefix("OPENAI_BASE_URL=")
        finally:
            process.terminate()


def evaluate(pack: Path, out: Path, *options: str, base_url: str = "") -> Result:
    environment = {**QUICK, "FOOTNOTE_DATA_DIR": str(pack.parent / "data"), "OPENAI_API_KEY": ""}
    environment |= {"OPENAI_BASE_URL": base_url, "OPENAI_MAX_RETRIES": "1"}
    command = ["eval", str(pack), "--out", str(out), "--json", *options]
    return CliRunner().invoke(make_app(), command, env=environment)


def test_questions_that_a_model_fails_on_are_asked_again(tmp_path: Path) -> None:
    pack, out = make_longer_pack(tmp_path / "pack", questions=8), tmp_path / "results.jsonl"

    with model_server("--trouble", "5") as url:
        result = evaluate(pack, out, "--writer", "model", base_url=url)

    assert result.exit_code == 0, result.output
    assert "was not answered" in result.stderr, "the line was bad"
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert sorted(row["id"] for row in rows) == [f"q{number}" for number in range(8)]
    assert {row["writer"] for row in rows} == {"gpt-6-luna"}
    scores = json.loads(result.stdout)["scores"]
    assert (scores["questions"], scores["tokens_mean"]) == (8, 240)


def test_run_whose_model_is_away_stops_and_goes_on_later(tmp_path: Path) -> None:
    pack, out = make_longer_pack(tmp_path / "pack", questions=8), tmp_path / "results.jsonl"
    with model_server() as url:
        evaluate(pack, out, "--writer", "model", "--limit", "3", base_url=url)
        before = out.read_text(encoding="utf-8")

    away = evaluate(pack, out, "--writer", "model", base_url=url)
    between = out.read_text(encoding="utf-8")
    with model_server() as url:
        again = evaluate(pack, out, "--writer", "model", base_url=url)

    assert (away.exit_code, json.loads(away.stdout)["error"]) == (1, "unavailable")
    assert between == before, "the book's own words are not the model's"
    assert again.exit_code == 0
    assert out.read_text(encoding="utf-8").startswith(before)
    assert json.loads(again.stdout)["scores"]["questions"] == 8


def test_results_of_two_writers_are_not_mixed(tmp_path: Path) -> None:
    pack, out = make_longer_pack(tmp_path / "pack", questions=1), tmp_path / "results.jsonl"
    evaluate(pack, out)

    with model_server() as url:
        result = evaluate(pack, out, "--writer", "model", base_url=url)

    assert result.exit_code == 1
    assert "has answers of extractive" in json.loads(result.stdout)["message"]

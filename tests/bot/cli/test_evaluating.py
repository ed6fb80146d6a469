"""`footnote eval` through the whole product, on a pack of two questions."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli.app import make_app

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

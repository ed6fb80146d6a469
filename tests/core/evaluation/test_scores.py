"""The measures of a run, on answers whose numbers can be counted by hand."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import LibraryError
from core.evaluation.calibration import calibration_error
from core.evaluation.matching import contains, hits, is_right, overlaps, rightness
from core.evaluation.outcome import Outcome, Quoted
from core.evaluation.pack import Gold, PackQuestion, read_pack
from core.evaluation.running import read_outcomes
from core.evaluation.scores import auroc, scores

QUOTE = "A node is a process that does one job and talks to others."
KNOWN = PackQuestion("k", "What is a node?", "fact", True, ("a process",), (Gold("a.md", QUOTE),))
NEAR = PackQuestion("n", "Who invented nodes?", "unanswerable", False)
OFF = PackQuestion("o", "Who won?", "offtopic", False)
RIGHT = Outcome(
    id="k",
    retrieved=(Quoted("b.md", "Other words entirely."), Quoted("a.md", f"Hello. {QUOTE} Bye.", 0.9)),
    answer="A node is a process. [1]",
    citations=(Quoted("a.md", QUOTE),),
    confidence=0.9,
    confidence_level="high",
    should_answer=True,
    ms=30.0,
    signals={"rerank": 1.5},
    model_ms=20.0,
)
REFUSED = replace(RIGHT, answer="no", citations=(), confidence=0.2, should_answer=False)


@pytest.mark.parametrize(
    ("text", "quote", "is_hit"),
    [
        ("one two three four five", "two three four five", True),
        ("one two three four", "one two three four five six seven eight nine ten eleven", True),
        ("one two three four five six", "one two three nine five six", False),
        ("same", "same", True),
        ("", "same", False),
    ],
)
def test_a_passage_hits_where_half_of_either_is_in_the_other(text: str, quote: str, is_hit: bool) -> None:
    assert overlaps(text, quote) is is_hit


def test_without_a_quote_the_right_file_is_a_hit() -> None:
    assert hits(Quoted("a.md", "whatever"), [Gold("a.md")])
    assert not hits(Quoted("b.md", "whatever"), [Gold("a.md")])


def test_an_answer_contains_whole_words_only() -> None:
    assert contains("It has Nodes, many.", ["nodes many"])
    assert not contains("It has nodesmany.", ["nodes"])
    assert not contains("anything", [""])


def test_every_measure_of_a_small_run() -> None:
    pairs = [(KNOWN, RIGHT), (NEAR, replace(RIGHT, id="n", confidence=0.7)), (OFF, replace(REFUSED, id="o"))]

    measured = scores(pairs)

    assert measured["recall@1"] == 0.0
    assert measured["recall@5"] == 1.0
    assert measured["mrr@10"] == 0.5
    assert measured["answer_contains_gold"] == measured["cites_gold"] == 1.0
    assert measured["answered_of_answerable"] == 1.0
    assert measured["refused_of_near_miss"] == 0.0
    assert measured["refused_of_offtopic"] == 1.0
    assert measured["auroc_near_miss"] == measured["auroc_offtopic"] == 1.0
    assert measured["ms_over_model_p50"] == 1.5


def test_equal_confidences_tell_nothing_apart() -> None:
    assert auroc([0.5, 0.5], [0.5]) == 0.5
    assert auroc([], [0.5]) is None


def test_a_held_back_answer_can_have_been_right() -> None:
    assert is_right(KNOWN, replace(REFUSED, held_back=RIGHT.citations))
    assert not is_right(KNOWN, REFUSED)
    assert not is_right(NEAR, RIGHT)


def test_a_footnote_that_leads_to_the_right_passage_is_right() -> None:
    assert is_right(KNOWN, replace(RIGHT, answer="Hello. [1]", citations=(Quoted("a.md", "Hello."),)))


def test_an_answer_beside_the_right_passage_is_half_right() -> None:
    beside = replace(RIGHT, answer="Other. [1]", citations=(Quoted("b.md", "Other words entirely."),))

    assert rightness(KNOWN, RIGHT) == 1.0
    assert rightness(KNOWN, beside) == 0.5
    assert rightness(KNOWN, replace(beside, retrieved=beside.retrieved[:1])) == 0.0
    assert rightness(NEAR, beside) == 0.0


def test_calibration_error_is_the_distance_between_said_and_true() -> None:
    sure = replace(RIGHT, confidence=1.0)

    assert calibration_error([(KNOWN, sure)]) == 0.0
    assert calibration_error([(KNOWN, replace(sure, confidence=0.75))]) == pytest.approx(0.25)
    assert calibration_error([]) is None


def test_results_survive_being_written_and_a_killed_line_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text(f'{RIGHT.to_line()}\n{{"id": "half', encoding="utf-8")

    assert read_outcomes(path) == {"k": RIGHT}
    assert read_outcomes(tmp_path / "none.jsonl") == {}


def test_a_pack_is_read_with_its_history(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    row = {
        "id": "q1",
        "question": "And why?",
        "type": "followup",
        "answerable": True,
        "answers": ["so"],
        "gold": [{"file": "a.md", "quote": ""}],
        "history": [{"q": "What?", "a": "That."}],
    }
    (tmp_path / "questions.dev.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")

    (question,) = read_pack(tmp_path).questions

    assert question.gold == (Gold("a.md", None),)
    assert question.history[0].question == "What?"


def test_a_folder_that_is_no_pack_is_named(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="corpus"):
        read_pack(tmp_path)

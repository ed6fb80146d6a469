"""Levels follow the contract's table."""

from dataclasses import replace

import pytest

from core.answering.confidence import judge, level_of
from core.model import ConfidenceLevel, Draft
from tests.core.answering.making import make_found


@pytest.mark.parametrize(
    ("score", "chunks", "level"),
    [
        (0.85, 5, "high"),
        (0.85, 4, "medium"),
        (0.8499, 5, "medium"),
        (0.75, 3, "medium"),
        (0.75, 2, "low"),
        (0.7499, 5, "low"),
        (0.60, 1, "low"),
        (0.5999, 9, "insufficient"),
        (1.0, 0, "insufficient"),
    ],
)
def test_level_needs_both_the_chance_and_the_chunks(score: float, chunks: int, level: str) -> None:
    assert level_of(score, chunks) is ConfidenceLevel(level)


def test_an_unsupported_draft_is_less_sure_than_what_was_found() -> None:
    draft = Draft("Nodes [1].", make_found(["A node runs."]), answerability=0.9, model="m", support=0.5)

    assert judge(draft).score == pytest.approx(0.45)


def test_what_was_found_by_words_alone_is_never_told_as_plain() -> None:
    found = make_found([f"Node {number} runs." for number in range(5)])
    by_meaning = Draft("Nodes [1].", found, answerability=0.99, model="m")
    by_words = replace(by_meaning, chunks=tuple(replace(each, cosine=None) for each in found))

    assert judge(by_words).level is ConfidenceLevel.MEDIUM
    assert judge(by_meaning).level is ConfidenceLevel.HIGH


def test_the_same_text_twice_has_no_diversity_and_other_words_have_all() -> None:
    same = Draft("", make_found(["one two three"] * 2), answerability=0, model="m")
    other = Draft("", make_found(["one two three", "four five six"]), answerability=0, model="m")

    assert judge(same).diversity == 0.0
    assert judge(other).diversity == 1.0

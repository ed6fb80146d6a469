"""Levels follow the contract's table."""

from dataclasses import replace

import pytest

from core.answering.confidence import judge, level_of
from core.model import ConfidenceLevel, Draft
from tests.core.answering.making import make_found


@pytest.mark.parametrize(
    ("score", "chunks", "level"),
    [
        (0.85, 6, "high"),
        (0.85, 5, "high"),
        (0.85, 4, "medium"),
        (0.8499, 5, "medium"),
        (0.75, 4, "medium"),
        (0.75, 3, "medium"),
        (0.75, 2, "low"),
        (0.7499, 5, "low"),
        (0.60, 3, "low"),
        (0.60, 2, "low"),
        (0.60, 1, "insufficient"),
        (1.0, 1, "insufficient"),
        (0.5999, 9, "insufficient"),
        (1.0, 0, "insufficient"),
    ],
)
def test_level_needs_both_the_chance_and_the_chunks(score: float, chunks: int, level: str) -> None:
    assert level_of(score, chunks, most=20) is ConfidenceLevel(level)


@pytest.mark.parametrize(
    ("score", "found", "most", "level"),
    [
        pytest.param(1.0, 1, 1, "low", id="the only one there is, never better than low"),
        pytest.param(0.60, 1, 1, "low", id="just sure enough"),
        pytest.param(0.5999, 1, 1, "insufficient", id="not sure enough"),
        pytest.param(1.0, 0, 1, "insufficient", id="not even that one"),
        pytest.param(1.0, 0, 0, "insufficient", id="nothing to find"),
        pytest.param(1.0, 1, 2, "insufficient", id="one of two"),
        pytest.param(1.0, 2, 2, "low", id="both of two"),
        pytest.param(1.0, 3, 3, "medium", id="all of three"),
    ],
)
def test_all_that_could_be_found_is_enough_for_the_lowest_level(
    score: float, found: int, most: int, level: str
) -> None:
    assert level_of(score, found, most=most) is ConfidenceLevel(level)


@pytest.mark.parametrize(
    ("chunks", "is_everything", "top_k", "level"),
    [
        pytest.param(1, True, 5, "low", id="a book of one passage"),
        pytest.param(1, False, 5, "insufficient", id="one passage of a longer book"),
        pytest.param(1, False, 1, "low", id="one was asked for"),
        pytest.param(1, False, 2, "insufficient", id="two were asked for"),
        pytest.param(2, True, 5, "low", id="a book of two passages"),
        pytest.param(2, False, 5, "low", id="two of a longer book"),
        pytest.param(0, True, 5, "insufficient", id="an empty book"),
    ],
)
def test_one_passage_is_enough_only_where_no_second_could_be_found(
    chunks: int, is_everything: bool, top_k: int, level: str
) -> None:
    found = make_found([f"Node {number} runs." for number in range(chunks)])
    draft = Draft("Nodes [1].", found, answerability=0.9, model="m", is_everything=is_everything)

    assert judge(draft, top_k=top_k).level is ConfidenceLevel(level)


def test_a_chunk_that_is_quoted_twice_counts_once() -> None:
    (found,) = make_found(["A node runs. It has one job."])
    draft = Draft("A node runs [1]. It has one job [2].", (found, found), answerability=0.9, model="m")

    confidence = judge(draft, top_k=5)

    assert (confidence.chunk_count, confidence.level) == (1, ConfidenceLevel.INSUFFICIENT)


def test_an_unsupported_draft_is_less_sure_than_what_was_found() -> None:
    draft = Draft("Nodes [1].", make_found(["A node runs."]), answerability=0.9, model="m", support=0.5)

    assert judge(draft, top_k=5).score == pytest.approx(0.45)


def test_what_was_found_by_words_alone_is_never_told_as_plain() -> None:
    found = make_found([f"Node {number} runs." for number in range(5)])
    by_meaning = Draft("Nodes [1].", found, answerability=0.99, model="m")
    by_words = replace(by_meaning, chunks=tuple(replace(each, cosine=None) for each in found))

    assert judge(by_words, top_k=5).level is ConfidenceLevel.MEDIUM
    assert judge(by_meaning, top_k=5).level is ConfidenceLevel.HIGH


def test_the_same_text_twice_has_no_diversity_and_other_words_have_all() -> None:
    same = Draft("", make_found(["one two three"] * 2), answerability=0, model="m")
    other = Draft("", make_found(["one two three", "four five six"]), answerability=0, model="m")

    assert judge(same, top_k=5).diversity == 0.0
    assert judge(other, top_k=5).diversity == 1.0

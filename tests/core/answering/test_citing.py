"""An answer's marks all lead to a chunk that was found, and its quotes stand there word for word."""

import pytest

from core.answering.citing import to_answer
from core.model import ConfidenceLevel, Draft
from tests.core.answering.making import make_found, make_task

TEXTS = (
    "A node is a process. It does one thing.",
    "A topic is a named channel between nodes.",
    "A service answers one request with one reply.",
)


def draft(text: str, **fields: object) -> Draft:
    given: dict[str, object] = {"answerability": 0.95, "model": "extractive", **fields}
    return Draft(text=text, chunks=make_found(TEXTS), **given)  # type: ignore[arg-type]


def test_marks_are_renumbered_in_reading_order() -> None:
    answer = to_answer(draft("Services reply [3]. Nodes run [1]. Services again [3]."), make_task(), seconds=0.1)

    assert answer.text == "Services reply [1]. Nodes run [2]. Services again [1]."
    assert [citation.chunk.index for citation in answer.citations] == [2, 0]
    assert [citation.number for citation in answer.citations] == [1, 2]


def test_marks_that_lead_nowhere_are_dropped() -> None:
    answer = to_answer(draft("A node runs [1]. The moon is far [9]."), make_task(), seconds=0.1)

    assert answer.text == "A node runs [1]. The moon is far."
    assert len(answer.citations) == 1


@pytest.mark.parametrize("given", ["", "Nodes are programs.", "A node  is a process."])
def test_a_quote_that_is_not_in_the_chunk_is_replaced_by_the_sentence_that_supports_it(given: str) -> None:
    answer = to_answer(draft("A node is some process [1].", quotes={1: given}), make_task(), seconds=0.1)

    assert answer.citations[0].quote == "A node is a process."


def test_a_draft_without_marks_is_a_refusal_with_the_contracts_sentence() -> None:
    answer = to_answer(draft("Nodes are nice."), make_task(), seconds=0.1)

    assert answer.is_refusal
    assert answer.citations == ()
    assert answer.text.startswith("I don't have information about that in the book content.")
    assert answer.confidence.score == pytest.approx(0.95)


def test_a_draft_that_hardly_answers_is_refused_with_the_nearest_sections() -> None:
    answer = to_answer(
        draft("A node is a process [1].", answerability=0.2), make_task("What is a quaternion?"), seconds=0.1
    )

    assert answer.confidence.level is ConfidenceLevel.INSUFFICIENT
    assert "quaternion" in answer.text
    assert [section.section for section in answer.nearest] == ["Part 0", "Part 1", "Part 2"]


def test_nothing_found_is_a_refusal_that_points_nowhere() -> None:
    nothing = Draft(text="", chunks=(), answerability=0.0, model="extractive")

    answer = to_answer(nothing, make_task(), seconds=0.1)

    assert answer.text == "I don't have information about that in the book content."
    assert answer.nearest == ()

"""Answers are never empty, tell their moment in UTC, and carry shares that are shares."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model import Answer, Citation, Confidence, ConfidenceLevel, NearSection
from core.model.limits import MAX_EXCERPT_CHARS
from tests.core.model.making import make_chunk

HIGH = Confidence(0.91, ConfidenceLevel.HIGH)


@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_answer_is_never_empty(text: str) -> None:
    with pytest.raises(ValueError, match="never empty"):
        Answer(text, (), HIGH, "session")


@pytest.mark.parametrize(
    ("level", "should_answer"), [("high", True), ("medium", True), ("low", True), ("insufficient", False)]
)
def test_only_an_insufficient_answer_is_a_refusal(level: str, should_answer: bool) -> None:
    answer = Answer("Yes.", (), Confidence(0.5, ConfidenceLevel(level)), "session")

    assert answer.confidence.should_answer is should_answer
    assert answer.is_refusal is not should_answer
    assert answer.to_dict()["should_answer"] is should_answer


@pytest.mark.parametrize(
    ("value", "is_taken"),
    [(-0.001, False), (0.0, True), (0.001, True), (0.999, True), (1.0, True), (1.001, False)],
)
def test_confidence_and_relevance_lie_between_nought_and_one(value: float, is_taken: bool) -> None:
    if is_taken:
        assert Confidence(value, ConfidenceLevel.LOW).score == value
        assert Citation(1, make_chunk(), "quote", value).relevance == value
    else:
        with pytest.raises(ValueError, match="between 0 and 1"):
            Confidence(value, ConfidenceLevel.LOW)
        with pytest.raises(ValueError, match="between 0 and 1"):
            Citation(1, make_chunk(), "quote", value)


def test_average_lies_between_the_least_and_the_most() -> None:
    with pytest.raises(ValueError, match="outside"):
        Confidence(0.5, ConfidenceLevel.LOW, average_similarity=0.2, min_similarity=0.3, max_similarity=0.9)
    with pytest.raises(ValueError, match="outside"):
        Confidence(0.5, ConfidenceLevel.LOW, average_similarity=0.95, min_similarity=0.3, max_similarity=0.9)


@pytest.mark.parametrize("length", [499, 500, 501, 5000])
@pytest.mark.parametrize("letter", ["x", "x "], ids=["one word", "words"])
def test_excerpt_is_shortened_for_display(length: int, letter: str) -> None:
    quote = (letter * length)[:length].strip()
    citation = Citation(1, make_chunk(), quote, 0.5)

    assert len(citation.excerpt) <= MAX_EXCERPT_CHARS
    assert (citation.excerpt == quote) is (len(quote) <= MAX_EXCERPT_CHARS)


@given(st.text(max_size=1500))
def test_excerpt_of_anything_keeps_its_limit_and_begins_like_the_quote(quote: str) -> None:
    excerpt = Citation(1, make_chunk(), quote, 0.5).excerpt

    assert len(excerpt) <= MAX_EXCERPT_CHARS
    assert quote.strip().startswith(excerpt.removesuffix("…"))


def test_answer_is_told_in_the_words_of_the_contract() -> None:
    chunk = make_chunk()
    answer = Answer(
        "Nodes publish [1].",
        (Citation(1, chunk, "Nodes publish messages.", 0.87654),),
        HIGH,
        "session",
        nearest=(NearSection.of(chunk),),
    )

    told = answer.to_dict()

    assert {
        "text",
        "citations",
        "confidence",
        "confidence_level",
        "should_answer",
        "session_id",
        "created_at",
    } <= set(told)
    metadata = told["metadata"]
    assert isinstance(metadata, dict)
    assert {"request_id", "processing_time_ms", "retrieval_count", "model_used", "tokens_used"} <= set(metadata)
    citations = told["citations"]
    assert isinstance(citations, list)
    [citation] = citations
    assert (citation["chunk_id"], citation["number"], citation["relevance"]) == (chunk.id, 1, 0.8765)
    assert {"title", "section", "breadcrumb", "url", "excerpt"} <= set(citation)


def test_moment_of_an_answer_is_iso_8601_in_utc() -> None:
    moment = datetime.fromisoformat(Answer("Yes.", (), HIGH, "session").created_at)

    assert moment.utcoffset() == timedelta(0)
    assert abs(datetime.now(UTC) - moment) < timedelta(minutes=1)

"""The limits of what a member may ask, each just below, at and just beyond it."""

from uuid import uuid1, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import QuestionError
from core.model import Filters, Question, SessionKey
from core.model.limits import MAX_QUESTION_CHARS


@pytest.mark.parametrize("length", [1, 2, 1999, 2000])
def test_question_within_its_limits_is_taken(length: int) -> None:
    assert len(Question("x" * length).text) == length


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("", "empty", id="nothing"),
        pytest.param(" \n\t\u00a0", "empty", id="blank"),
        pytest.param("x" * 2001, "at most 2000 characters; this one has 2001", id="one too many"),
    ],
)
def test_question_beyond_its_limits_is_refused_with_the_limit_and_the_length(text: str, words: str) -> None:
    with pytest.raises(QuestionError, match=words) as caught:
        Question(text)

    assert caught.value.details["field"] == "question"


def test_space_around_a_question_does_not_count() -> None:
    assert Question(f"  {'x' * 2000}\n").text == "x" * 2000


@pytest.mark.parametrize("length", [1, 4999, 5000])
def test_selected_text_within_its_limit_is_kept(length: int) -> None:
    assert Question("Why?", selected_text="x" * length).selected_text == "x" * length


def test_selected_text_beyond_its_limit_is_refused() -> None:
    with pytest.raises(QuestionError, match="at most 5000 characters; this one has 5001"):
        Question("Why?", selected_text="x" * 5001)


@pytest.mark.parametrize("blank", [None, "", "  \n"])
def test_blank_selection_is_no_selection(blank: str | None) -> None:
    assert Question("Why?", selected_text=blank).selected_text is None


@pytest.mark.parametrize(
    ("top_k", "is_taken"), [(-1, False), (0, False), (1, True), (2, True), (19, True), (20, True), (21, False)]
)
def test_top_k_has_its_limits(top_k: int, is_taken: bool) -> None:
    if is_taken:
        assert Question("Why?", top_k=top_k).top_k == top_k
    else:
        with pytest.raises(QuestionError, match=f"between 1 and 20; this one is {top_k}"):
            Question("Why?", top_k=top_k)


@pytest.mark.parametrize(
    ("threshold", "is_taken"),
    [(-0.01, False), (0.0, True), (0.01, True), (0.99, True), (1.0, True), (1.01, False), (float("nan"), False)],
)
def test_similarity_threshold_has_its_limits(threshold: float, is_taken: bool) -> None:
    if is_taken:
        assert Question("Why?", similarity_threshold=threshold).similarity_threshold == threshold
    else:
        with pytest.raises(QuestionError, match=r"between 0\.0 and 1\.0"):
            Question("Why?", similarity_threshold=threshold)


@pytest.mark.parametrize(
    ("session_id", "is_taken"),
    [
        pytest.param(str(uuid4()), True, id="version 4"),
        pytest.param(str(uuid1()), False, id="version 1"),
        pytest.param("not a uuid", False, id="no uuid"),
        pytest.param("", False, id="empty"),
    ],
)
def test_session_id_is_a_uuid_of_version_4(session_id: str, is_taken: bool) -> None:
    if is_taken:
        assert Question("Why?", session_id=session_id).session_id == session_id
    else:
        with pytest.raises(QuestionError, match="version 4"):
            Question("Why?", session_id=session_id)


def test_question_from_nowhere_gets_a_place_of_its_own() -> None:
    assert Question("Why?").key != Question("Why?").key
    assert Question("Why?").key.group == SessionKey.private().group


@given(st.text())
def test_every_question_is_either_stripped_and_within_the_limit_or_refused(text: str) -> None:
    try:
        question = Question(text)
    except QuestionError:
        assert not 1 <= len(text.strip()) <= MAX_QUESTION_CHARS
    else:
        assert question.text == text.strip()


@pytest.mark.parametrize(
    ("tier", "is_taken"), [(0, False), (1, True), (2, True), (3, True), (4, True), (5, False), (None, True)]
)
def test_tier_to_look_for_has_its_limits(tier: int | None, is_taken: bool) -> None:
    if is_taken:
        assert Filters(tier=tier).tier == tier
    else:
        with pytest.raises(QuestionError, match="between 1 and 4"):
            Filters(tier=tier)


@pytest.mark.parametrize(
    ("low", "high", "is_taken"),
    [(2, 3, True), (3, 3, True), (4, 3, False), (None, 3, True), (3, None, True), (0, 0, True)],
)
def test_chapters_are_a_range(low: int | None, high: int | None, is_taken: bool) -> None:
    if is_taken:
        assert Filters(chapter_min=low, chapter_max=high).chapter_min == low
    else:
        with pytest.raises(QuestionError, match=r"\(4\) comes after the last one \(3\)"):
            Filters(chapter_min=low, chapter_max=high)


def test_filters_tell_only_what_was_asked_for() -> None:
    assert Filters().to_dict() == {}
    assert Filters(books=("ros",), chapter_min=0, parent_id="p").to_dict() == {
        "books": ["ros"],
        "chapter_min": 0,
        "parent_doc_id": "p",
    }

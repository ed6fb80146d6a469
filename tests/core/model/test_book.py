"""Places, ids and chains: what ties a chunk to its book."""

from uuid import UUID, uuid5

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import LibraryError
from core.model import BOOK_NAMESPACE, Counts, Layer, Level, Place, chunk_id, parent_id
from core.model.book import content_hash
from tests.core.model.making import PLACE, make_chunk

PLACES = st.builds(
    Place,
    book=st.text("abc", min_size=1, max_size=3),
    module=st.text("xyz", min_size=1, max_size=3),
    chapter=st.integers(0, 40),
    lesson=st.integers(0, 40),
)


@pytest.mark.parametrize(
    ("tier", "is_taken"), [(0, False), (1, True), (2, True), (3, True), (4, True), (5, False)]
)
def test_hardware_tier_has_its_limits(tier: int, is_taken: bool) -> None:
    if is_taken:
        assert Place("ros", tier=tier).tier == tier
    else:
        with pytest.raises(LibraryError, match=f"1 to 4; found {tier}"):
            Place("ros", tier=tier)


@pytest.mark.parametrize(
    ("chapter", "lesson", "is_taken"),
    [(0, 0, True), (-1, 0, False), (0, -1, False), (100_000, 100_000, True)],
)
def test_chapters_and_lessons_count_from_zero_without_end(chapter: int, lesson: int, is_taken: bool) -> None:
    if is_taken:
        assert Place("ros", chapter=chapter, lesson=lesson).lesson == lesson
    else:
        with pytest.raises(LibraryError, match="count from 0"):
            Place("ros", chapter=chapter, lesson=lesson)


def test_lesson_that_says_nothing_is_for_beginners() -> None:
    assert (Place("ros").level, Place("ros").layer, Place("ros").tier) == (Level.A2, Layer.L1, 1)


@pytest.mark.parametrize(
    ("text", "is_taken"),
    [
        pytest.param("x" * 9, False, id="nine characters"),
        pytest.param("x" * 10, True, id="ten"),
        pytest.param("x" * 11, True, id="eleven"),
        pytest.param(" " + "x" * 9 + "\n", False, id="nine with space around"),
    ],
)
def test_chunk_has_at_least_ten_characters(text: str, is_taken: bool) -> None:
    if is_taken:
        assert make_chunk(text).text == text
    else:
        with pytest.raises(LibraryError, match="at least 10 characters; this one has 9"):
            make_chunk(text)


@pytest.mark.parametrize(
    ("index", "total", "previous_id", "next_id", "is_taken"),
    [
        pytest.param(0, 1, None, None, True, id="alone"),
        pytest.param(0, 2, None, "b", True, id="first"),
        pytest.param(1, 2, "a", None, True, id="last"),
        pytest.param(1, 3, "a", "b", True, id="in the middle"),
        pytest.param(0, 2, None, None, False, id="first without a next"),
        pytest.param(1, 2, None, None, False, id="last without a previous"),
        pytest.param(0, 1, "a", None, False, id="alone with a previous"),
        pytest.param(0, 1, None, "b", False, id="alone with a next"),
        pytest.param(1, 1, "a", None, False, id="beyond the end"),
        pytest.param(-1, 1, None, None, False, id="before the beginning"),
        pytest.param(0, 0, None, None, False, id="of none"),
    ],
)
def test_chunk_knows_exactly_the_neighbours_it_has(
    index: int, total: int, previous_id: str | None, next_id: str | None, is_taken: bool
) -> None:
    if is_taken:
        assert make_chunk(index=index, total=total, previous_id=previous_id, next_id=next_id).index == index
    else:
        with pytest.raises(LibraryError):
            make_chunk(index=index, total=total, previous_id=previous_id, next_id=next_id)


def test_id_is_the_one_of_the_contract() -> None:
    digest = content_hash("Nodes publish messages on topics.")

    expected = uuid5(UUID("6ba7b810-9dad-11d1-80b4-00c04fd430c8"), f"ros:basics:1:2:{digest[:16]}")

    assert chunk_id(PLACE, digest) == str(expected)
    assert UUID(parent_id(PLACE)).version == 5


@given(PLACES, st.text(), st.text())
def test_id_hangs_on_the_text_and_nothing_else_of_the_lesson(place: Place, one: str, two: str) -> None:
    first, second = content_hash(one), content_hash(two)

    assert chunk_id(place, first) == chunk_id(place, first)
    assert (chunk_id(place, first) == chunk_id(place, second)) is (one == two)


@given(st.lists(PLACES, min_size=2, max_size=8), st.integers(0, 3))
def test_no_two_places_share_an_id(places: list[Place], occurrence: int) -> None:
    digest = content_hash("the same words")
    distinct = set(places)

    assert len({chunk_id(place, digest, occurrence=occurrence) for place in distinct}) == len(distinct)
    assert len({parent_id(place) for place in distinct}) == len(distinct)


def test_same_text_again_in_a_lesson_has_another_id() -> None:
    digest = content_hash("the same words")

    assert len({chunk_id(PLACE, digest, occurrence=number) for number in range(5)}) == 5


@given(st.text())
def test_counts_are_at_least_one_word_and_one_token(text: str) -> None:
    counts = Counts.of(text)

    assert counts.words >= 1
    assert counts.tokens >= 1
    assert counts.tokens == max(1, round(counts.words * 1.3))
    assert counts.chars == len(text)


@pytest.mark.parametrize(
    ("title", "section", "told"),
    [
        pytest.param("Topics", ("QoS", "History"), "Topics › QoS › History", id="title and headings"),
        pytest.param("Topics", ("Topics", "QoS"), "Topics › QoS", id="the title is the first heading"),
        pytest.param("Topics", (), "Topics", id="before the first heading"),
    ],
)
def test_headings_are_told_once_each(title: str, section: tuple[str, ...], told: str) -> None:
    chunk = make_chunk(page_title=title, section=section)

    assert chunk.heading_text == told
    assert chunk.section_title == (section[-1] if section else None)


def test_namespace_never_changes() -> None:
    """Another one would give every chunk of every library a new id."""
    assert str(BOOK_NAMESPACE) == "6ba7b810-9dad-11d1-80b4-00c04fd430c8"

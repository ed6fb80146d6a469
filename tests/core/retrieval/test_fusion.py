"""One order from two lists of scores."""

import pytest

from core.retrieval.fusion import fused


def test_what_both_lists_like_stands_first() -> None:
    order = list(fused({"a": 0.9, "b": 0.8, "c": 0.1}, {"b": 9.0, "c": 8.0, "a": 0.5}))

    assert order == ["b", "c", "a"]


def test_by_how_much_the_first_is_better_counts() -> None:
    narrow = fused({"a": 0.80, "b": 0.79, "c": 0.1}, {"a": 1.0, "b": 9.0, "c": 0.0})

    assert next(iter(narrow)) == "b"


def test_a_chunk_without_an_embedding_stands_with_the_least_similar() -> None:
    scores = fused({"a": 0.9, "b": 0.2}, {"a": 1.0, "b": 1.0, "new": 1.0})

    assert scores["new"] == pytest.approx(scores["b"])


@pytest.mark.parametrize("bm25", [{}, {"a": 2.0, "b": 2.0}], ids=["no words", "equal words"])
def test_one_silent_list_leaves_the_other_in_charge(bm25: dict[str, float]) -> None:
    assert list(fused({"a": 0.1, "b": 0.9}, bm25)) == ["b", "a"]


def test_nothing_gives_nothing() -> None:
    assert fused({}, {}) == {}

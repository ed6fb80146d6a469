"""Search words with filters among them."""

import pytest

from bot.search_words import from_fields, to_search
from core.errors import QuestionError
from core.model import Filters, Layer, Level


@pytest.mark.parametrize(
    ("line", "words", "filters", "limit"),
    [
        ("ownership rules", "ownership rules", Filters(), 5),
        ("moves chapter:4-6", "moves", Filters(chapter_min=4, chapter_max=6), 5),
        ("chapter:4 moves", "moves", Filters(chapter_min=4, chapter_max=4), 5),
        ("moves chapter:4-", "moves", Filters(chapter_min=4), 5),
        ("moves book:rust module:\"the basics\" lesson:2", "moves", Filters(("rust",), "the basics", lesson=2), 5),
        ("moves level:a2,B1", "moves", Filters(levels=(Level.A2, Level.B1)), 5),
        ("moves layer:l3 tier:2", "moves", Filters(layer=Layer.L3, tier=2), 5),
        ("moves limit:3", "moves", Filters(), 3),
        ("what is std::move", "what is std::move", Filters(), 5),
    ],
)  # fmt: skip
def test_filters_are_taken_out_of_the_words(line: str, words: str, filters: Filters, limit: int) -> None:
    query = to_search(line)

    assert (query.text, query.filters, query.limit) == (words, filters, limit)


@pytest.mark.parametrize(
    ("line", "named"),
    [("moves level:Z9", "A1, A2"), ("moves lesson:two", "lesson"), ("mo", "3"), ("moves limit:99", "20")],
)
def test_what_cannot_be_understood_is_named(line: str, named: str) -> None:
    with pytest.raises(QuestionError, match=named):
        to_search(line)


def test_an_empty_field_is_no_filter() -> None:
    assert from_fields("moves", {"module": " ", "chapter": "", "limit": "4"}).filters == Filters()

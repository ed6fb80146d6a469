"""The limits of a search."""

import pytest

from core.errors import QuestionError
from core.model import Filters, SearchHit, SearchQuery, SearchResults
from tests.core.model.making import make_chunk


@pytest.mark.parametrize(
    ("text", "is_taken"),
    [
        pytest.param("ab", False, id="two characters"),
        pytest.param("abc", True, id="three"),
        pytest.param("abcd", True, id="four"),
        pytest.param(" ab ", False, id="two with space around"),
        pytest.param("x" * 2000, True, id="as long as a question"),
        pytest.param("x" * 2001, False, id="longer"),
    ],
)
def test_words_to_search_with_have_their_limits(text: str, is_taken: bool) -> None:
    if is_taken:
        assert SearchQuery(text).text == text.strip()
    else:
        with pytest.raises(QuestionError, match=str(len(text.strip()))):
            SearchQuery(text)


@pytest.mark.parametrize(
    ("limit", "is_taken"), [(0, False), (1, True), (2, True), (19, True), (20, True), (21, False)]
)
def test_number_of_results_has_its_limits(limit: int, is_taken: bool) -> None:
    if is_taken:
        assert SearchQuery("topics", limit=limit).limit == limit
    else:
        with pytest.raises(QuestionError, match="between 1 and 20"):
            SearchQuery("topics", limit=limit)


def test_results_are_told_in_the_words_of_the_contract() -> None:
    hit = SearchHit(make_chunk(), 0.87654321)

    told = SearchResults("topics", (hit,), 7, Filters(books=("ros",))).to_dict()

    assert set(told) == {"query", "results", "total_found", "filters"}
    results = told["results"]
    assert isinstance(results, list)
    [result] = results
    assert (result["score"], result["module"], result["chapter"], result["lesson"]) == (0.8765, "basics", 1, 2)
    assert {"text", "source_file", "section_title", "url", "chunk_index", "hardware_tier"} <= set(result)

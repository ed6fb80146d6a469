"""What a model may write into a tool call: whatever it is, it becomes a search or a sentence for the model."""

import json

import pytest

from core.answering.model.tool import TOOL_NAME, ToolMistake, to_search
from core.model import Filters, Level, Question

SCOPE = Filters(books=("robots",), chapter_min=2, chapter_max=6)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        pytest.param("{", "not valid JSON", id="broken JSON"),
        pytest.param("[" * 100_000, "not valid JSON", id="nested without end"),
        pytest.param("[]", "must be a JSON object", id="not an object"),
        pytest.param("{}", "query must be", id="no query"),
        pytest.param('{"query": 5}', "query must be", id="query no text"),
        pytest.param('{"query": "x", "top_k": 1e999}', "top_k must be a whole number", id="infinitely many"),
        pytest.param('{"query": "x", "top_k": NaN}', "top_k must be a whole number", id="not a number"),
        pytest.param('{"query": "x", "top_k": 21}', "top_k must be from 1 to 20", id="too many"),
        pytest.param('{"query": "x", "lesson": 1.5}', "lesson must be a whole number", id="half a lesson"),
        pytest.param('{"query": "x", "lesson": 1' + "0" * 400 + "}", "lesson must be from 0", id="huge"),
        pytest.param('{"query": "x", "module": ["a"]}', "module must be a text", id="several modules"),
        pytest.param('{"query": "x", "module": 5}', "module must be a text", id="numbered module"),
        pytest.param('{"query": "x", "proficiency_level": "Z9"}', "Z9", id="unknown level"),
        pytest.param('{"query": "x", "similarity_threshold": 2}', "from 0 to 1", id="too similar"),
        pytest.param('{"query": "x", "books": ["other"]}', "Unknown arguments: books", id="other books"),
    ],
)
def test_a_wrong_argument_is_told_to_the_model(arguments: str, told: str) -> None:
    with pytest.raises(ToolMistake, match=told):
        to_search(TOOL_NAME, arguments, question=Question("What is a topic?"), scope=SCOPE)


@pytest.mark.parametrize(
    ("given", "chapters"),
    [
        pytest.param({}, (2, 6), id="as the member said"),
        pytest.param({"chapter_min": 4}, (4, 6), id="later"),
        pytest.param({"chapter_max": 3}, (2, 3), id="earlier"),
        pytest.param({"chapter_min": 0, "chapter_max": 99}, (2, 6), id="not wider"),
    ],
)
def test_a_model_narrows_what_the_member_allows_and_never_widens_it(
    given: dict[str, int], chapters: tuple[int, int]
) -> None:
    arguments = json.dumps({"query": "topics", "proficiency_level": "B1", **given})

    search = to_search(TOOL_NAME, arguments, question=Question("What is a topic?"), scope=SCOPE)

    assert (search.scope.chapter_min, search.scope.chapter_max) == chapters
    assert search.scope.books == ("robots",)
    assert search.scope.levels == (Level.B1,)


def test_the_members_similarity_is_the_least_a_model_may_ask_for() -> None:
    question = Question("What is a topic?", similarity_threshold=0.5, top_k=7)

    low = to_search(TOOL_NAME, '{"query": "x", "similarity_threshold": 0.1}', question=question, scope=SCOPE)
    high = to_search(TOOL_NAME, '{"query": "x", "similarity_threshold": 0.9}', question=question, scope=SCOPE)

    assert (low.similarity_threshold, high.similarity_threshold, low.top_k) == (0.5, 0.9, 7)


@pytest.mark.parametrize(
    ("wanted", "asked", "found"),
    [
        pytest.param(1, 5, 2, id="a single one does not carry an answer"),
        pytest.param(2, 5, 2, id="two do"),
        pytest.param(3, 5, 3, id="three"),
        pytest.param(1, 1, 1, id="the member wanted one"),
    ],
)
def test_a_model_gets_as_many_passages_as_it_wants_and_as_an_answer_needs(
    wanted: int, asked: int, found: int
) -> None:
    arguments = json.dumps({"query": "topics", "top_k": wanted})

    search = to_search(TOOL_NAME, arguments, question=Question("What is a topic?", top_k=asked), scope=SCOPE)

    assert search.top_k == found

"""When a service that helps to search is away, the book is still searched."""

from pathlib import Path

import pytest

from core.model import Filters
from tests.core.retrieval.shelf import open_shelf


@pytest.mark.parametrize(
    ("embedder_is_down", "reranker_is_down", "told"),
    [
        pytest.param(True, False, "by words only", id="the embedder"),
        pytest.param(False, True, "not reranked", id="the reranker"),
        pytest.param(True, True, "not reranked", id="both"),
    ],
)
async def test_what_is_asked_for_is_found_without(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    embedder_is_down: bool,
    reranker_is_down: bool,
    told: str,
) -> None:
    async with open_shelf(tmp_path) as shelf:
        shelf.embedder.is_down, shelf.reranker.is_down = embedder_is_down, reranker_is_down

        found = await shelf.retriever.search("What is a topic channel?", Filters(books=("robots",)), limit=3)

    assert found.chunks[0].chunk.text.startswith("A topic is a named channel.")
    assert told in caplog.text


async def test_words_that_stand_in_one_chunk_of_many_bring_less_than_everything(tmp_path: Path) -> None:
    async with open_shelf(tmp_path) as shelf:
        shelf.embedder.is_down = True

        found = await shelf.retriever.search("quaternion rotation", Filters(books=("robots",)), limit=5)

    assert (len(found.chunks), found.is_everything) == (1, False)

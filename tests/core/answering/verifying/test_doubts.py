"""Where words alone do not tell, the embedder decides."""

from collections.abc import Sequence

import numpy as np
import pytest

from core.answering.verifying import Verifier
from core.model import FoundChunk
from core.ports import Vector
from tests.core.answering.passages import sample_chunks

SHELF = [FoundChunk(chunk, score=0.9) for chunk in sample_chunks()]
PARAPHRASE = "Losing packets is final under best effort [1]."
"""Less than half of its words stand in the passage."""


class FixedEmbedder:
    """Finds every claim and its passage equally close."""

    model = "text-embedding-3-small"
    dimension = 2

    def __init__(self, cosine: float) -> None:
        self._cosine = cosine
        self.asked: list[str] = []

    async def embed_chunks(self, texts: Sequence[str]) -> list[Vector]:
        self.asked += texts
        pair = ([1.0, 0.0], [self._cosine, (1 - self._cosine**2) ** 0.5])
        return [np.asarray(pair[index % 2], dtype=np.float32) for index in range(len(texts))]

    async def embed_query(self, text: str) -> Vector:
        raise AssertionError("a claim is not a query")

    async def close(self) -> None: ...


@pytest.mark.parametrize(("cosine", "is_kept"), [(0.9, True), (0.2, False)], ids=["close", "far"])
async def test_a_free_paraphrase_is_kept_only_where_its_meaning_is_close(cosine: float, is_kept: bool) -> None:
    embedder = FixedEmbedder(cosine)

    result = await Verifier(embedder=embedder).check(PARAPHRASE, SHELF)

    assert bool(result.text) is is_kept
    assert len(embedder.asked) == 2


@pytest.mark.parametrize(("cosine", "is_kept"), [(0.99, True), (0.8, False)], ids=["the same", "close"])
async def test_what_shares_hardly_a_word_is_kept_only_where_it_means_the_same(
    cosine: float, is_kept: bool
) -> None:
    result = await Verifier(embedder=FixedEmbedder(cosine)).check("Dropped packets are gone for good [1].", SHELF)

    assert bool(result.text) is is_kept


async def test_what_stands_in_the_passage_word_for_word_needs_no_embedder() -> None:
    embedder = FixedEmbedder(0.0)

    result = await Verifier(embedder=embedder).check("The default depth is 10 [2].", SHELF)

    assert result.text == "The default depth is 10 [2]."
    assert embedder.asked == []


async def test_a_close_meaning_does_not_excuse_a_wrong_number() -> None:
    result = await Verifier(embedder=FixedEmbedder(1.0)).check("The usual depth is 12 [2].", SHELF)

    assert result.text == ""

"""The embedder for very large libraries: one fixed vector per token, averaged. Hundreds of times faster."""

from collections.abc import Sequence

import numpy as np

from core.ports import Vector
from core.retrieval.embedders.static_table import StaticTable
from core.retrieval.local_models.model_thread import ModelThread
from core.retrieval.local_models.weights import WORDLLAMA, Carrier

DIMENSION = 256
TEXTS_AT_ONCE = 32
"""Some ten milliseconds of work: short enough for queries and cancelling to come in between."""


class StaticEmbedder:
    """English text to 256 numbers, from the words alone and not from their order.

    Raises:
        SettingsError: from any call but close, when the `static` extra is not installed or the weights differ.
    """

    model = "wordllama-l2-supercat-256"
    dimension = DIMENSION

    def __init__(self, *, carrier: Carrier = WORDLLAMA) -> None:
        self._thread = ModelThread(lambda: StaticTable(carrier), name="embedder")

    async def load(self) -> None:
        """Have the table ready on return, so that the first question does not wait for it."""
        await self._thread.load()

    async def embed_chunks(self, texts: Sequence[str]) -> list[Vector]:
        vectors: list[Vector] = []
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            vectors += await self._embed(texts[start : start + TEXTS_AT_ONCE])
        return vectors

    async def embed_query(self, text: str) -> Vector:
        return (await self._embed([text]))[0]

    async def close(self) -> None:
        await self._thread.close()

    async def _embed(self, texts: Sequence[str]) -> list[Vector]:
        return await self._thread.run(lambda table: [_embed(table, text) for text in texts])


def _embed(table: StaticTable, text: str) -> Vector:
    # The length is set to 1 below, so the sum does as well as the mean.
    total = table.total(text)
    return (total / np.linalg.norm(total)).astype(np.float32)

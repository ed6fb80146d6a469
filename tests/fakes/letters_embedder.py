"""An embedder that counts letters: no model, the same vector for the same text, and it keeps what it was asked."""

import asyncio
from collections.abc import Sequence

import numpy as np

from core.errors import ServiceDown
from core.ports import Vector

DIMENSION = 8


class LettersEmbedder:
    """Turns text into how often letters occur. Slow ones take long enough per chunk to be put off until later."""

    def __init__(self, *, model: str = "letters", dimension: int = DIMENSION, seconds: float = 0.0) -> None:
        self._model = model
        self._dimension = dimension
        self._seconds = seconds
        self.embedded: list[str] = []
        self.is_down = False
        self.stops_after: int | None = None
        """After this many texts it stands still until it may go on."""
        self.stands_still = asyncio.Event()
        self.may_go_on = asyncio.Event()

    @property
    def model(self) -> str:
        return self._model

    @property
    def dimension(self) -> int:
        return self._dimension

    async def embed_chunks(self, texts: Sequence[str]) -> list[Vector]:
        if self.stops_after is not None and len(self.embedded) >= self.stops_after:
            self.stands_still.set()
            await self.may_go_on.wait()
        if self.is_down:
            raise ServiceDown(self._model, "away")
        await asyncio.sleep(self._seconds * len(texts))
        self.embedded += texts
        return [self._vector(text) for text in texts]

    async def embed_query(self, text: str) -> Vector:
        if self.is_down:
            raise ServiceDown(self._model, "away")
        return self._vector(text)

    async def close(self) -> None:
        """Nothing to let go of."""

    def _vector(self, text: str) -> Vector:
        counts = np.ones(self._dimension, dtype=np.float32)
        for letter in text.encode("utf-8"):
            counts[letter % self._dimension] += 1
        return (counts / np.linalg.norm(counts)).astype(np.float32)

"""How long the models themselves take, to tell their time from ours."""

from collections.abc import Sequence
from time import perf_counter

from core.ports import Embedder, Reranker, Vector


class ModelClock:
    """Adds up the time of model calls since it was last started."""

    def __init__(self) -> None:
        self._seconds = 0.0

    @property
    def milliseconds(self) -> float:
        return self._seconds * 1000

    def restart(self) -> None:
        self._seconds = 0.0

    def add(self, seconds: float) -> None:
        self._seconds += seconds


class TimedEmbedder:
    """An embedder whose queries are timed."""

    def __init__(self, embedder: Embedder, clock: ModelClock) -> None:
        self._embedder = embedder
        self._clock = clock

    @property
    def model(self) -> str:
        return self._embedder.model

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    async def embed_chunks(self, texts: Sequence[str]) -> list[Vector]:
        return await self._embedder.embed_chunks(texts)

    async def embed_query(self, text: str) -> Vector:
        started = perf_counter()
        vector = await self._embedder.embed_query(text)
        self._clock.add(perf_counter() - started)
        return vector

    async def close(self) -> None:
        await self._embedder.close()


class TimedReranker:
    """A reranker that is timed."""

    def __init__(self, reranker: Reranker, clock: ModelClock) -> None:
        self._reranker = reranker
        self._clock = clock

    @property
    def model(self) -> str:
        return self._reranker.model

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        started = perf_counter()
        scores = await self._reranker.score(question, texts)
        self._clock.add(perf_counter() - started)
        return scores

    async def close(self) -> None:
        await self._reranker.close()

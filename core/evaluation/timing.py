"""How long the models themselves take, to tell their time from ours."""

from collections.abc import Sequence
from time import perf_counter

from core.evaluation.wrapping import WrappedEmbedder, WrappedReranker
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


class TimedEmbedder(WrappedEmbedder):
    """An embedder whose queries are timed."""

    def __init__(self, embedder: Embedder, clock: ModelClock) -> None:
        super().__init__(embedder)
        self._clock = clock

    async def embed_query(self, text: str) -> Vector:
        started = perf_counter()
        vector = await super().embed_query(text)
        self._clock.add(perf_counter() - started)
        return vector


class TimedReranker(WrappedReranker):
    """A reranker that is timed."""

    def __init__(self, reranker: Reranker, clock: ModelClock) -> None:
        super().__init__(reranker)
        self._clock = clock

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        started = perf_counter()
        scores = await super().score(question, texts)
        self._clock.add(perf_counter() - started)
        return scores

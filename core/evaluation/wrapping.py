"""Models as they are, for those that measure or remember to change one call of."""

from collections.abc import Sequence

from core.ports import Embedder, Reranker, Vector


class WrappedEmbedder:
    """Says what another embedder says."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    @property
    def model(self) -> str:
        return self._embedder.model

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    async def embed_chunks(self, texts: Sequence[str]) -> list[Vector]:
        return await self._embedder.embed_chunks(texts)

    async def embed_query(self, text: str) -> Vector:
        return await self._embedder.embed_query(text)

    async def close(self) -> None:
        await self._embedder.close()


class WrappedReranker:
    """Says what another reranker says."""

    def __init__(self, reranker: Reranker) -> None:
        self._reranker = reranker

    @property
    def model(self) -> str:
        return self._reranker.model

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        return await self._reranker.score(question, texts)

    async def close(self) -> None:
        await self._reranker.close()

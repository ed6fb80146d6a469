"""Reranking by Cohere, for books in any language."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.providers.cohere_api import SERVICE, close_client, to_client, translated
from core.providers.trouble import NONSENSE, service_down
from core.settings import Settings

if TYPE_CHECKING:
    from cohere import AsyncClientV2

MAX_TEXTS = 1000
"""Texts that one request may carry."""


class CohereReranker:
    """Reads a question with each text; scores run from 0 to 1."""

    def __init__(self, *, client: "AsyncClientV2", model: str) -> None:
        self._client = client
        self._model = model

    @classmethod
    def of(cls, settings: Settings) -> "CohereReranker":
        """The reranker the operator chose.

        Raises:
            SettingsError: the package is not installed.
        """
        return cls(client=to_client(settings), model=settings.cohere_rerank_model)

    @property
    def model(self) -> str:
        return self._model

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """A score for each text, in the order given.

        Raises:
            ServiceError: the service did not do its part.
        """
        scores: list[float] = []
        for start in range(0, len(texts), MAX_TEXTS):
            scores += await self._score(question, texts[start : start + MAX_TEXTS])
        return scores

    async def close(self) -> None:
        await close_client(self._client)

    async def _score(self, question: str, texts: Sequence[str]) -> list[float]:
        with translated():
            reply = await self._client.rerank(model=self._model, query=question, documents=list(texts))
        found = {result.index: result.relevance_score for result in reply.results}
        if found.keys() != set(range(len(texts))):
            raise service_down(SERVICE, NONSENSE, f"{len(found)} scores for {len(texts)} texts")
        return [found[index] for index in range(len(texts))]

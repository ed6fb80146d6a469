"""Embeddings from Cohere, which embeds what is searched and what we search with differently."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from core.ports import Vector
from core.providers.cohere_api import SERVICE, close_client, to_client, translated
from core.providers.trouble import NONSENSE, service_down
from core.retrieval.embedders.batching import batches, to_vectors
from core.settings import Settings

if TYPE_CHECKING:
    from cohere import AsyncClientV2

MAX_TEXTS = 96
"""Texts that one request may carry; the client does not split them."""
MAX_CHARS = 400_000
LONGEST_CHARS = 8_000
"""What is longer than the model reads is cut by the service itself; this only keeps requests small."""
DIMENSIONS = {
    "embed-english-v3.0": 1024,
    "embed-multilingual-v3.0": 1024,
    "embed-english-light-v3.0": 384,
    "embed-multilingual-light-v3.0": 384,
    "embed-v4.0": 1536,
}

InputType = Literal["search_document", "search_query"]


class CohereEmbedder:
    """Text to vectors. Open it with `open_cohere_embedder`, which knows the dimension."""

    def __init__(self, *, client: "AsyncClientV2", model: str, dimension: int) -> None:
        self._client = client
        self.model = model
        self.dimension = dimension

    async def embed_chunks(self, texts: Sequence[str]) -> list[Vector]:
        """A vector for each text, 96 to a request.

        Raises:
            ServiceError: the service did not do its part.
        """
        vectors: list[Vector] = []
        for batch in batches(texts, most_texts=MAX_TEXTS, most_chars=MAX_CHARS, longest=LONGEST_CHARS):
            vectors += to_vectors(await _embed(self._client, self.model, batch, "search_document"))
        return vectors

    async def embed_query(self, text: str) -> Vector:
        (batch,) = batches([text], most_texts=1, most_chars=MAX_CHARS, longest=LONGEST_CHARS)
        return to_vectors(await _embed(self._client, self.model, batch, "search_query"))[0]

    async def close(self) -> None:
        await close_client(self._client)


async def open_cohere_embedder(settings: Settings) -> CohereEmbedder:
    """The embedder the operator chose; a model we do not know is asked once for its dimension.

    Raises:
        SettingsError: the package is not installed.
        ServiceError: it had to be asked, and the service did not do its part.
    """
    client, model = to_client(settings), settings.cohere_model
    dimension = DIMENSIONS.get(model)
    if dimension is None:
        try:
            dimension = len((await _embed(client, model, ["dimension"], "search_query"))[0])
        except BaseException:
            await close_client(client)
            raise
    return CohereEmbedder(client=client, model=model, dimension=dimension)


async def _embed(
    client: "AsyncClientV2", model: str, texts: list[str], input_type: InputType
) -> Sequence[Sequence[float]]:
    with translated():
        reply = await client.embed(
            model=model, texts=texts, input_type=input_type, embedding_types=["float"], truncate="END"
        )
    rows = reply.embeddings.float_ or []
    if len(rows) != len(texts):
        raise service_down(SERVICE, NONSENSE, f"{len(rows)} vectors for {len(texts)} texts")
    return rows

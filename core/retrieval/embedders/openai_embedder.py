"""Embeddings from OpenAI, or from any server that offers them the same way."""

from collections.abc import Sequence

from openai import AsyncOpenAI, omit

from core.ports import Vector
from core.providers.openai_api import SERVICE, to_client, translated
from core.providers.trouble import NONSENSE, service_down
from core.retrieval.embedders.batching import batches, to_vectors
from core.settings import Settings

MAX_INPUTS = 2048
"""Texts that one request may carry."""
MAX_CHARS = 600_000
"""One request may carry 300,000 tokens; two characters a token is the least we saw, in tables."""
LONGEST_CHARS = 16_000
"""One text may have 8,192 tokens."""
DIMENSIONS = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}


class OpenAIEmbedder:
    """Text in any language to vectors. Open it with `open_openai_embedder`, which knows the dimension."""

    def __init__(self, *, client: AsyncOpenAI, model: str, dimension: int, is_packed: bool) -> None:
        self._client = client
        self.model = model
        self.dimension = dimension
        self._is_packed = is_packed

    async def embed_chunks(self, texts: Sequence[str]) -> list[Vector]:
        """A vector for each text, in as few requests as the service allows.

        Raises:
            ServiceError: the service did not do its part.
        """
        vectors: list[Vector] = []
        for batch in batches(texts, most_texts=MAX_INPUTS, most_chars=MAX_CHARS, longest=LONGEST_CHARS):
            vectors += to_vectors(await _embed(self._client, self.model, batch, is_packed=self._is_packed))
        return vectors

    async def embed_query(self, text: str) -> Vector:
        return (await self.embed_chunks([text]))[0]

    async def close(self) -> None:
        await self._client.close()


async def open_openai_embedder(settings: Settings) -> OpenAIEmbedder:
    """The embedder the operator chose; a model we do not know is asked once for its dimension.

    Raises:
        ServiceError: it had to be asked, and the service did not do its part.
    """
    client, model = to_client(settings), settings.openai_embedding_model
    # Other servers often know numbers only.
    is_packed = settings.openai_base_url is None
    dimension = DIMENSIONS.get(model)
    if dimension is None:
        try:
            dimension = len((await _embed(client, model, ["dimension"], is_packed=is_packed))[0])
        except BaseException:
            await client.close()
            raise
    return OpenAIEmbedder(client=client, model=model, dimension=dimension, is_packed=is_packed)


async def _embed(client: AsyncOpenAI, model: str, texts: list[str], *, is_packed: bool) -> list[list[float]]:
    with translated():
        # Left out, the client asks for packed numbers and unpacks them: a third of the size.
        reply = await client.embeddings.create(
            model=model, input=texts, encoding_format=omit if is_packed else "float"
        )
    rows = sorted(reply.data, key=lambda row: row.index)
    if len(rows) != len(texts):
        raise service_down(SERVICE, NONSENSE, f"{len(rows)} vectors for {len(texts)} texts")
    return [row.embedding for row in rows]

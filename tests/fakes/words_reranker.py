"""A reranker that counts words: enough to tell which passage answers in a small book."""

import re
from collections.abc import Sequence

from core.errors import ServiceDown

_WORD = re.compile(r"\w+")


class WordsReranker:
    """Scores a text by the share of the question's longer words it has, from -6 to 6."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.is_down = False

    @property
    def model(self) -> str:
        return "ms-marco-MiniLM-L-12-v2-int8"

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        if self.is_down:
            raise ServiceDown(self.model, "away")
        self.asked.append(question)
        wanted = {word for word in _WORD.findall(question.lower()) if len(word) > 3}
        return [12 * len(wanted & set(_WORD.findall(text.lower()))) / max(1, len(wanted)) - 6 for text in texts]

    async def close(self) -> None:
        pass

"""The passages one answer may draw on, each under the number its mark carries."""

from collections.abc import Sequence

from core.model import Findings, FoundChunk, Retrieval


class Shelf:
    """Collects what the searches for one answer brought. A chunk found twice keeps its first number."""

    def __init__(self) -> None:
        self._chunks: list[FoundChunk] = []
        self._numbers: dict[str, int] = {}
        self._searches: list[Findings] = []

    @property
    def chunks(self) -> tuple[FoundChunk, ...]:
        return tuple(self._chunks)

    @property
    def retrievals(self) -> tuple[Retrieval, ...]:
        return tuple(findings.to_retrieval() for findings in self._searches)

    @property
    def is_everything(self) -> bool:
        """Whether no search could have brought more."""
        return bool(self._searches) and all(findings.is_everything for findings in self._searches)

    @property
    def best(self) -> Findings:
        """The search that most likely answers; there must have been one."""
        return max(self._searches, key=lambda findings: findings.answerability)

    def add(self, findings: Findings) -> None:
        """Take in what a search brought."""
        self._searches.append(findings)
        for found in findings.chunks:
            if found.chunk.id not in self._numbers:
                self._chunks.append(found)
                self._numbers[found.chunk.id] = len(self._chunks)

    def number_of(self, found: FoundChunk) -> int:
        return self._numbers[found.chunk.id]

    def answerability(self, numbers: Sequence[int] = ()) -> float:
        """The best chance among the searches that brought these chunks; among all, if none is named."""
        wanted = {self._chunks[number - 1].chunk.id for number in numbers}
        chances = [
            findings.answerability
            for findings in self._searches
            if not wanted or any(found.chunk.id in wanted for found in findings.chunks)
        ]
        return max(chances, default=0.0)

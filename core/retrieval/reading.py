"""A closer look: the passages of the best chunks that may answer, read together with the question."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.model import Chunk
from core.ports import Reranker
from core.retrieval.candidates import Candidate
from core.retrieval.passages import Passage, passages
from core.retrieval.query import Query
from core.retrieval.vocabulary import Vocabulary
from core.retrieval.words import Words

CHUNKS_READ = 12
"""Chunks whose best passage is read, whatever their rank among passages."""
PASSAGES_READ = 16
"""Passages the reranker reads for one question, the first of each chunk included."""
MOST_WORDS = 90
"""Of a long passage its beginning is read: enough to see what it is, and the model's time grows with length."""
MOST_HEADING_WORDS = 20
BEFORE_WEIGHT, HEADING_WEIGHT = 0.4, 0.3
"""A question's word counts in full where the passage has it, and so much where only what stands above has it."""
RERANK_SCALE = 2.0
"""The reranker's points that take a passage from "as likely as not" to "probably"."""
RANK_WEIGHT = 0.05
BLOCK_PENALTY = 0.1
"""A list or table covers many words by its length alone."""


@dataclass(frozen=True, slots=True)
class ReadPassage:
    """A passage with what two readings made of it."""

    candidate: Candidate
    passage: Passage
    coverage: float
    """The share of the question's weight that its words cover, what stands above it counted in part."""
    rerank: float | None
    """The reranker's raw score; None where nothing was reranked."""

    @property
    def chunk(self) -> Chunk:
        return self.candidate.chunk

    @property
    def text(self) -> str:
        return self.passage.of(self.candidate.chunk.text)

    @property
    def merit(self) -> float:
        """What passages are compared by."""
        return self.rerank if self.rerank is not None else self.coverage

    @property
    def promise(self) -> float:
        """About how likely it answers, from 0 to 1: beyond sure and hopeless a higher score means nothing."""
        if self.rerank is None:
            return self.coverage
        return 1.0 / (1.0 + math.exp(-self.rerank / RERANK_SCALE))


class Reading:
    """Reads passages: first all of them by their words, then the most promising with the reranker."""

    def __init__(self, *, words: Words, reranker: Reranker | None) -> None:
        self._words = words
        self._reranker = reranker

    async def read(
        self, query: Query, candidates: Sequence[Candidate], vocabulary: Vocabulary
    ) -> list[ReadPassage]:
        """The passages that may answer, best first."""
        weights = {word: weight * vocabulary.rarity(word) for word, weight in query.weights.items()}
        chosen = self._chosen(weights, candidates[:CHUNKS_READ])
        if self._reranker is not None and chosen:
            scores = await self._reranker.score(query.text, [_shown(each) for each in chosen])
            chosen = [
                ReadPassage(each.candidate, each.passage, each.coverage, score)
                for each, score in zip(chosen, scores, strict=True)
            ]
        return sorted(chosen, key=lambda each: -each.merit)

    def _chosen(self, weights: dict[str, float], candidates: Sequence[Candidate]) -> list[ReadPassage]:
        """The best passage of each chunk, and then the best of the others."""
        firsts: list[tuple[float, ReadPassage]] = []
        others: list[tuple[float, ReadPassage]] = []
        for candidate in candidates:
            ranked = sorted(self._skimmed(weights, candidate), key=lambda pair: -pair[0])
            firsts += ranked[:1]
            others += ranked[1:]
        others.sort(key=lambda pair: -pair[0])
        room = max(0, PASSAGES_READ - len(firsts))
        return [read for _, read in (*firsts, *others[:room])]

    def _skimmed(self, weights: dict[str, float], candidate: Candidate) -> list[tuple[float, ReadPassage]]:
        text = candidate.chunk.text
        heading = set(self._words.of_text(candidate.chunk.heading_text))
        total = sum(weights.values()) or 1.0
        found = []
        for passage in passages(text):
            own = set(self._words.of_text(passage.of(text)))
            before = set(self._words.of_text(passage.before))
            covered = sum(
                weight
                * (
                    1.0
                    if word in own
                    else BEFORE_WEIGHT
                    if word in before
                    else HEADING_WEIGHT
                    if word in heading
                    else 0
                )
                for word, weight in weights.items()
            )
            coverage = covered / total
            promise = coverage + RANK_WEIGHT * candidate.fused - BLOCK_PENALTY * (passage.is_block or len(own) < 3)
            found.append((promise, ReadPassage(candidate, passage, coverage, None)))
        return found


def _shown(read: ReadPassage) -> str:
    """What the reranker reads of a passage: the headings say what "it" is about."""
    heading = " ".join(read.chunk.heading_text.split()[:MOST_HEADING_WORDS])
    return f"{heading}: {' '.join(read.text.split()[:MOST_WORDS])}"

"""A closer look: the passages of the best chunks that may answer, read together with the question."""

import asyncio
import logging
import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace

from core.errors import ServiceError
from core.model import Chunk
from core.ports import Reranker
from core.retrieval.asides import is_about_the_book
from core.retrieval.candidates import Candidate
from core.retrieval.passages import Passage, PassageKind, passages
from core.retrieval.query import Query
from core.retrieval.questions import wants_code, wants_list
from core.retrieval.vocabulary import Vocabulary
from core.retrieval.words import Words

log = logging.getLogger(__name__)

CHUNKS_READ = 12
"""Chunks whose best passage is read, whatever their rank among passages."""
PASSAGES_READ = 24
"""Passages the reranker reads for one question, the first of each chunk included."""
MOST_WORDS = 90
"""Of a long passage its beginning is read: enough to see what it is, and the model's time grows with length."""
MOST_HEADING_WORDS = 20
BEFORE_WEIGHT, HEADING_WEIGHT = 0.4, 0.3
"""A question's word counts in full where the passage has it, and so much where only what stands above has it."""
RERANK_SCALE = 2.0
"""The reranker's points that take a passage from "as likely as not" to "probably"."""
COVERAGE_POINTS = 4.0
"""How many of the reranker's points it is worth to cover all of a question instead of nothing."""
RANK_WEIGHT = 0.05
DOUBT = 0.1
"""What a passage loses that covers many words by its length alone, or has hardly any."""
FEW_WORDS = 3
ASIDE_PENALTY = 4.0
"""What a passage about the book loses in the reranker's points: it names every subject and explains none."""


@dataclass(frozen=True, slots=True)
class ReadPassage:
    """A passage with what two readings made of it."""

    candidate: Candidate
    passage: Passage
    coverage: float
    """The share of the question's weight that its words cover, what stands above it counted in part."""
    rerank: float | None
    """The reranker's raw score; None where nothing was reranked."""

    is_aside: bool = False
    """It speaks of the book rather than of its subject: "by the end of this lesson you can"."""

    @property
    def chunk(self) -> Chunk:
        return self.candidate.chunk

    @property
    def text(self) -> str:
        return self.passage.of(self.candidate.chunk.text)

    @property
    def merit(self) -> float:
        """What passages are compared by."""
        return self._score - (ASIDE_PENALTY if self.is_aside else 0.0)

    @property
    def _score(self) -> float:
        return self.rerank if self.rerank is not None else self.coverage

    @property
    def points(self) -> float:
        """The merit on the reranker's scale, also where only words were compared."""
        return self.merit if self.rerank is not None else COVERAGE_POINTS * self.merit

    @property
    def promise(self) -> float:
        """About how likely it answers, from 0 to 1: beyond sure and hopeless a higher score means nothing."""
        if self.rerank is None:
            return max(0.0, self.merit)
        return 1.0 / (1.0 + math.exp(-self.merit / RERANK_SCALE))


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
        wanted = _wanted(query.text)
        chosen = await self._chosen(weights, candidates[:CHUNKS_READ], wanted)
        if self._reranker is not None and chosen:
            chosen = await self._reranked(query, chosen, self._reranker)
        return sorted(chosen, key=lambda each: -each.merit)

    async def _reranked(self, query: Query, chosen: list[ReadPassage], reranker: Reranker) -> list[ReadPassage]:
        try:
            scores = await reranker.score(query.text, [_shown(each) for each in chosen])
        except ServiceError as error:
            # Their words rank passages well enough; no answer at all would be worse.
            log.warning("passages are not reranked: %s", error)
            return chosen
        return [replace(each, rerank=score) for each, score in zip(chosen, scores, strict=True)]

    async def _chosen(
        self, weights: dict[str, float], candidates: Sequence[Candidate], wanted: frozenset[PassageKind]
    ) -> list[ReadPassage]:
        """The best passage of each chunk, and then the best of the others."""
        firsts: list[tuple[float, ReadPassage]] = []
        others: list[tuple[float, ReadPassage]] = []
        for candidate in candidates:
            ranked = sorted(self._skimmed(weights, candidate, wanted), key=lambda pair: -pair[0])
            firsts += ranked[:1]
            others += ranked[1:]
            # A chunk takes a few milliseconds; others may have their turn in between.
            await asyncio.sleep(0)
        others.sort(key=lambda pair: -pair[0])
        room = max(0, PASSAGES_READ - len(firsts))
        return [read for _, read in (*firsts, *others[:room])]

    def _skimmed(
        self, weights: dict[str, float], candidate: Candidate, wanted: frozenset[PassageKind]
    ) -> list[tuple[float, ReadPassage]]:
        """The passages of a chunk that may be shown, each with how much it promises."""
        text = candidate.chunk.text
        heading = set(self._words.of_text(candidate.chunk.heading_text))
        found = []
        for passage in passages(text):
            if passage.kind is PassageKind.LIST and passage.kind not in wanted:
                continue
            own = set(self._words.of_text(passage.of(text)))
            coverage = _coverage(weights, own, set(self._words.of_text(passage.before)), heading)
            doubts = (passage.is_block and passage.kind not in wanted) + (len(own) < FEW_WORDS)
            is_aside = is_about_the_book(passage.of(text), candidate.chunk.section_title or "")
            promise = coverage + RANK_WEIGHT * candidate.fused - DOUBT * (doubts + 2 * is_aside)
            found.append((promise, ReadPassage(candidate, passage, coverage, None, is_aside)))
        return found


def _coverage(weights: Mapping[str, float], own: Set[str], before: Set[str], heading: Set[str]) -> float:
    """The share of the question's weight that a passage covers, with what stands above it in part."""
    total = sum(weights.values())
    covered = 0.0
    for word, weight in weights.items():
        if word in own:
            covered += weight
        elif word in before:
            covered += BEFORE_WEIGHT * weight
        elif word in heading:
            covered += HEADING_WEIGHT * weight
    return covered / total if total else 0.0


def _wanted(question: str) -> frozenset[PassageKind]:
    """The kinds of block that can be what a question asks for."""
    lists = (PassageKind.LIST, PassageKind.TABLE) if wants_list(question) else ()
    return frozenset((*lists, PassageKind.CODE) if wants_code(question) else lists)


def _shown(read: ReadPassage) -> str:
    """What the reranker reads of a passage: the headings say what "it" is about."""
    heading = " ".join(read.chunk.heading_text.split()[:MOST_HEADING_WORDS])
    return f"{heading}: {' '.join(read.text.split()[:MOST_WORDS])}"

"""How sure an answer is: one judge for every writer."""

from collections.abc import Sequence
from itertools import combinations

from core.model import Confidence, ConfidenceLevel, Draft, FoundChunk
from core.retrieval.likeness import likeness

LEVELS = (
    (ConfidenceLevel.HIGH, 0.85, 5),
    (ConfidenceLevel.MEDIUM, 0.75, 3),
    (ConfidenceLevel.LOW, 0.60, 1),
)
"""Level, the least chance of being right, and the least number of chunks that were found for it.

The contract asks for two chunks at the lowest level. A book of one page has no second one, and refusing what
its only page says would be wrong, so there a single chunk is enough for the answer with a disclaimer.
"""
MOST_BY_WORDS = 0.84
"""Words alone tell that a passage is about a thing, not that it answers: the best level is out of reach."""
MOST_COMPARED = 10
"""Diversity compares every pair; beyond the chunks an answer draws on it tells nothing more."""


def judge(draft: Draft) -> Confidence:
    """The chance that a draft is right, and the level a member reads.

    Two things must hold at once: what was found answers the question, and what was written is what was
    found. So their chances are multiplied.
    """
    most = MOST_BY_WORDS if _is_by_words(draft.chunks) else 1.0
    score = min(most, max(0.0, draft.answerability * draft.support))
    similarities = [found.score for found in draft.chunks]
    return Confidence(
        score=score,
        level=level_of(score, len(draft.chunks)),
        average_similarity=sum(similarities) / len(similarities) if similarities else 0.0,
        min_similarity=min(similarities, default=0.0),
        max_similarity=max(similarities, default=0.0),
        chunk_count=len(draft.chunks),
        diversity=_diversity(draft.chunks[:MOST_COMPARED]),
    )


def level_of(score: float, chunk_count: int) -> ConfidenceLevel:
    """The best level whose two conditions both hold."""
    for level, least_score, least_chunks in LEVELS:
        if score >= least_score and chunk_count >= least_chunks:
            return level
    return ConfidenceLevel.INSUFFICIENT


def _is_by_words(chunks: Sequence[FoundChunk]) -> bool:
    """Whether no model looked at them, because the book is not embedded yet or the models are away."""
    return all(found.cosine is None and found.rerank is None for found in chunks)


def _diversity(chunks: Sequence[FoundChunk]) -> float:
    pairs = [likeness(one.chunk.text, other.chunk.text) for one, other in combinations(chunks, 2)]
    return 1.0 - sum(pairs) / len(pairs) if pairs else 0.0

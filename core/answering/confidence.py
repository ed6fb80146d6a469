"""How sure an answer is: one judge for every writer."""

from collections.abc import Sequence
from itertools import combinations

from core.model import Confidence, ConfidenceLevel, Draft, FoundChunk
from core.retrieval.likeness import likeness

LEVELS = (
    (ConfidenceLevel.HIGH, 0.85, 5),
    (ConfidenceLevel.MEDIUM, 0.75, 3),
    (ConfidenceLevel.LOW, 0.60, 2),
)
"""Level, the least chance of being right, and the least number of different chunks that were found for it."""
MOST_BY_WORDS = 0.84
"""Words alone tell that a passage is about a thing, not that it answers: the best level is out of reach."""
MOST_COMPARED = 10
"""Diversity compares every pair; beyond the chunks an answer draws on it tells nothing more."""


def judge(draft: Draft, *, top_k: int) -> Confidence:
    """The chance that a draft is right, and the level a member reads. *top_k* chunks were asked for.

    Two things must hold at once: what was found answers the question, and what was written is what was
    found. So their chances are multiplied.
    """
    # A draft has a chunk once for each quote taken from it.
    chunks = tuple({found.chunk.id: found for found in draft.chunks}.values())
    best = MOST_BY_WORDS if _is_by_words(chunks) else 1.0
    score = min(best, max(0.0, draft.answerability * draft.support))
    similarities = [found.score for found in chunks]
    return Confidence(
        score=score,
        level=level_of(score, len(chunks), most=min(top_k, len(chunks)) if draft.is_everything else top_k),
        average_similarity=sum(similarities) / len(similarities) if similarities else 0.0,
        min_similarity=min(similarities, default=0.0),
        max_similarity=max(similarities, default=0.0),
        chunk_count=len(chunks),
        diversity=_diversity(chunks[:MOST_COMPARED]),
    )


def level_of(score: float, found: int, *, most: int) -> ConfidenceLevel:
    """The best level whose two conditions both hold. *most* is how many chunks the search could have found.

    Where it could not have found two (the books searched hold one passage, or one was asked for), all that it
    could find is enough for the lowest level, and for no better one.
    """
    for level, least_score, least_chunks in LEVELS:
        needed = min(least_chunks, max(1, most)) if level is ConfidenceLevel.LOW else least_chunks
        if score >= least_score and found >= needed:
            return level
    return ConfidenceLevel.INSUFFICIENT


def _is_by_words(chunks: Sequence[FoundChunk]) -> bool:
    """Whether no model looked at them, because the book is not embedded yet or the models are away."""
    return all(found.cosine is None and found.rerank is None for found in chunks)


def _diversity(chunks: Sequence[FoundChunk]) -> float:
    pairs = [likeness(one.chunk.text, other.chunk.text) for one, other in combinations(chunks, 2)]
    return 1.0 - sum(pairs) / len(pairs) if pairs else 0.0

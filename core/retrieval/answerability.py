"""The chance that what was found answers the question."""

import math
from collections.abc import Sequence

from core.retrieval.candidates import Candidate
from core.retrieval.reading import ReadPassage


def answerability(read: Sequence[ReadPassage]) -> float:
    """The calibrated chance that the best passages answer."""
    if not read:
        return 0.0
    best = read[0]
    return _chance(0.5 * (best.rerank + 2.0) if best.rerank is not None else 8 * (best.coverage - 0.5))


def relevance(candidate: Candidate, read: ReadPassage | None) -> float:
    """How close a chunk comes to the question, from 0 to 1."""
    if read is None:
        return _chance(4 * (candidate.cosine or 0.0) - 2.8)
    return _chance(0.4 * (read.rerank + 3.0) if read.rerank is not None else 8 * (read.coverage - 0.5))


def _chance(logit: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, logit))))

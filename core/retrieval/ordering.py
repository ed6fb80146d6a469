"""The order members see: how a chunk was found, how well it answers, and what stands around it."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from core.retrieval.candidates import Candidate
from core.retrieval.reading import ReadPassage


@dataclass(frozen=True, slots=True)
class Weights:
    """What a place is given for, against one deviation of the candidates' scores."""

    reading: float
    """How much it counts that a chunk's best passage answers."""
    lesson: float
    """The share that a chunk gains of the best of its lesson: one that is found often is what it is all about."""


FIRST = Weights(reading=3.0, lesson=0.05)
"""The first place is for the passage that answers."""
OTHERS = Weights(reading=2.2, lesson=0.25)
"""Those behind it are for what else the question is about."""
LESSON_CHUNKS = 3
REPEAT_PENALTY = 1.5
"""Each further chunk of the same lesson loses so much, so that one lesson does not crowd out all others."""


def ordered(candidates: Sequence[Candidate], read: Sequence[ReadPassage], *, limit: int) -> list[Candidate]:
    """The best *limit* candidates, best first."""
    if not candidates:
        return []
    promises = _promises(candidates, read)
    first, _ = max(_totals(candidates, promises, FIRST), key=lambda pair: pair[1])
    left = [pair for pair in _totals(candidates, promises, OTHERS) if pair[0] is not first]
    order = [first]
    taken = Counter([first.chunk.parent_id])
    while left and len(order) < limit:
        best = max(left, key=lambda pair: pair[1] - REPEAT_PENALTY * taken[pair[0].chunk.parent_id])
        left.remove(best)
        order.append(best[0])
        taken[best[0].chunk.parent_id] += 1
    return order[:limit]


def best_of_chunks(read: Sequence[ReadPassage]) -> dict[str, ReadPassage]:
    """The best passage of each chunk, by the chunk's id; *read* is best first."""
    best: dict[str, ReadPassage] = {}
    for each in read:
        best.setdefault(each.chunk.id, each)
    return best


def _promises(candidates: Sequence[Candidate], read: Sequence[ReadPassage]) -> list[float]:
    """How likely each candidate answers; what was not read stands with the worst that was."""
    best = best_of_chunks(read)
    worst = min((each.promise for each in best.values()), default=0.0)
    return [best[each.chunk.id].promise if each.chunk.id in best else worst for each in candidates]


def _totals(
    candidates: Sequence[Candidate], promises: Sequence[float], weights: Weights
) -> list[tuple[Candidate, float]]:
    """Each candidate with how it was found, how well it answers and what its lesson holds, added up."""
    own = [
        candidate.fused + weights.reading * promise
        for candidate, promise in zip(candidates, promises, strict=True)
    ]
    lessons: dict[str, list[float]] = defaultdict(list)
    for candidate, total in zip(candidates, own, strict=True):
        lessons[candidate.chunk.parent_id].append(max(0.0, total))
    strength = {lesson: sum(sorted(found)[-LESSON_CHUNKS:]) for lesson, found in lessons.items()}
    return [
        (candidate, total + weights.lesson * strength[candidate.chunk.parent_id])
        for candidate, total in zip(candidates, own, strict=True)
    ]

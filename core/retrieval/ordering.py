"""The order members see: how a chunk was found, how well it answers, and what stands around it."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from core.retrieval.candidates import Candidate
from core.retrieval.reading import ReadPassage

READING_WEIGHT = 2.2
"""How much it counts that a chunk's best passage answers, against one deviation of the candidates' scores."""
LESSON_WEIGHT, LESSON_CHUNKS = 0.1, 3
"""A chunk gains a share of the best of its lesson: one that is found often is what the question is about."""
REPEAT_PENALTY = 1.3
"""Each further chunk of the same lesson loses so much, so that one lesson does not crowd out all others."""


def ordered(candidates: Sequence[Candidate], read: Sequence[ReadPassage], *, limit: int) -> list[Candidate]:
    """The best *limit* candidates, best first."""
    left = _with_lessons(_totals(candidates, best_of_chunks(read)))
    taken: Counter[str] = Counter()
    order: list[Candidate] = []
    while left and len(order) < limit:
        best = max(left, key=lambda pair: pair[1] - REPEAT_PENALTY * taken[pair[0].chunk.parent_id])
        left.remove(best)
        order.append(best[0])
        taken[best[0].chunk.parent_id] += 1
    return order


def best_of_chunks(read: Sequence[ReadPassage]) -> dict[str, ReadPassage]:
    """The best passage of each chunk, by the chunk's id; *read* is best first."""
    best: dict[str, ReadPassage] = {}
    for each in read:
        best.setdefault(each.chunk.id, each)
    return best


def _totals(candidates: Sequence[Candidate], best: Mapping[str, ReadPassage]) -> list[tuple[Candidate, float]]:
    """Each candidate with both signals added; what was not read stands with the worst that was."""
    worst = min((each.promise for each in best.values()), default=0.0)
    promises = {chunk_id: each.promise for chunk_id, each in best.items()}
    return [
        (candidate, candidate.fused + READING_WEIGHT * promises.get(candidate.chunk.id, worst))
        for candidate in candidates
    ]


def _with_lessons(totals: Sequence[tuple[Candidate, float]]) -> list[tuple[Candidate, float]]:
    lessons: dict[str, list[float]] = defaultdict(list)
    for candidate, total in totals:
        lessons[candidate.chunk.parent_id].append(max(0.0, total))
    strength = {lesson: sum(sorted(found)[-LESSON_CHUNKS:]) for lesson, found in lessons.items()}
    return [
        (candidate, total + LESSON_WEIGHT * strength[candidate.chunk.parent_id]) for candidate, total in totals
    ]

"""The order members see: how a chunk was found, how well it answers, and what stands around it."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from core.retrieval.candidates import Candidate
from core.retrieval.reading import ReadPassage

FIRST_READING = 1.0
"""How much each of the reranker's points counts for the first place, against one deviation of the candidates'
scores: it is for the passage that answers best, by however little."""
READING = 1.8
"""How much it counts for the places behind it that a passage probably answers: they are for what else the question
is about, and of two that answer neither has to answer better."""
LESSON = 0.25
"""The share that a chunk behind the first gains of the best of its lesson: one that is found often is what it is
all about."""
LESSON_CHUNKS = 3
REPEAT_PENALTY = 1.5
"""Each further chunk of the same lesson loses so much, so that one lesson does not crowd out all others."""


def ordered(candidates: Sequence[Candidate], read: Sequence[ReadPassage], *, limit: int) -> list[Candidate]:
    """The best *limit* candidates, best first."""
    if not candidates:
        return []
    best = best_of_chunks(read)
    points = _of_each(candidates, {chunk: passage.points for chunk, passage in best.items()})
    promises = _of_each(candidates, {chunk: passage.promise for chunk, passage in best.items()})
    first, _ = max(_totals(candidates, points, weight=FIRST_READING), key=lambda pair: pair[1])
    others = _with_lessons(_totals(candidates, promises, weight=READING))
    left = [pair for pair in others if pair[0] is not first]
    order = [first]
    taken = Counter([first.chunk.parent_id])
    while left and len(order) < limit:
        following = max(left, key=lambda pair: pair[1] - REPEAT_PENALTY * taken[pair[0].chunk.parent_id])
        left.remove(following)
        order.append(following[0])
        taken[following[0].chunk.parent_id] += 1
    return order[:limit]


def best_of_chunks(read: Sequence[ReadPassage]) -> dict[str, ReadPassage]:
    """The best passage of each chunk, by the chunk's id; *read* is best first."""
    best: dict[str, ReadPassage] = {}
    for each in read:
        best.setdefault(each.chunk.id, each)
    return best


def _of_each(candidates: Sequence[Candidate], read: Mapping[str, float]) -> list[float]:
    """What was read of each candidate; one that was not read stands with the worst that was."""
    worst = min(read.values(), default=0.0)
    return [read.get(each.chunk.id, worst) for each in candidates]


def _totals(
    candidates: Sequence[Candidate], values: Sequence[float], *, weight: float
) -> list[tuple[Candidate, float]]:
    """Each candidate with how it was found and what was read of it, added up."""
    return [
        (candidate, candidate.fused + weight * value) for candidate, value in zip(candidates, values, strict=True)
    ]


def _with_lessons(totals: Sequence[tuple[Candidate, float]]) -> list[tuple[Candidate, float]]:
    """The same with a share of what the lesson around each holds."""
    lessons: dict[str, list[float]] = defaultdict(list)
    for candidate, total in totals:
        lessons[candidate.chunk.parent_id].append(max(0.0, total))
    strength = {lesson: sum(sorted(found)[-LESSON_CHUNKS:]) for lesson, found in lessons.items()}
    return [(candidate, total + LESSON * strength[candidate.chunk.parent_id]) for candidate, total in totals]

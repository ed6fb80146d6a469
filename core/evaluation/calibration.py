"""Whether a confidence means what it says: of all answers given at 80 %, are 80 % right?"""

from collections import Counter
from collections.abc import Sequence

from core.evaluation.matching import rightness
from core.evaluation.outcome import Outcome
from core.evaluation.pack import PackQuestion

POPULATION = {"answerable": 0.68, "near miss": 0.05, "off topic": 0.27}
"""What study groups ask, as far as the calibration assumes: two of three questions are in the book.

A pack may consist of half adversarial near misses. A chance that is right for such a crowd would be wrong
for every group that asks about its book, so each class counts with its share here, not with its share there.
"""
BINS = 10


def calibration_error(pairs: Sequence[tuple[PackQuestion, Outcome]]) -> float | None:
    """The expected calibration error over ten bins, each class with its share of POPULATION."""
    if not pairs:
        return None
    weights = population_weights([class_of(question) for question, _ in pairs])
    total = sum(weights)
    error = 0.0
    for bin_ in range(BINS):
        inside = [
            (outcome.confidence, rightness(question, outcome), weight)
            for (question, outcome), weight in zip(pairs, weights, strict=True)
            if min(BINS - 1, int(outcome.confidence * BINS)) == bin_
        ]
        error += abs(sum(weight * (said - right) for said, right, weight in inside))
    return round(error / total, 4)


def class_of(question: PackQuestion) -> str:
    if question.is_answerable:
        return "answerable"
    return "off topic" if question.is_off_topic else "near miss"


def population_weights(classes: Sequence[str]) -> list[float]:
    """A weight for each question, so that every class present has its share of the population."""
    counts = Counter(classes)
    return [POPULATION[each] / counts[each] for each in classes]

"""One order from two: what is near in meaning, and what shares the question's words."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

WORDS_WEIGHT = 1.5
"""How much words count against meaning: between 1 and 2 the measured books hardly differ."""


def fused(cosines: Mapping[str, float], bm25: Mapping[str, float]) -> dict[str, float]:
    """Every chunk of either list with one score, best first.

    Scores are added, not ranks: a rank forgets by how much the first is better than the second,
    and that is what tells a passage that names the very thing from one that is merely close. Each
    list is first brought to the same spread.
    """
    ids = list(dict.fromkeys([*cosines, *bm25]))
    if not ids:
        return {}
    # A chunk the engine has no cosine for is not embedded yet: it stands with the least similar.
    lowest = min(cosines.values(), default=0.0)
    meaning = _spread(np.array([cosines.get(each, lowest) for each in ids]))
    words = _spread(np.array([bm25.get(each, 0.0) for each in ids]))
    total = meaning + WORDS_WEIGHT * words
    return {ids[at]: float(total[at]) for at in np.argsort(-total, kind="stable")}


def _spread(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The scores with mean 0 and deviation 1; all 0 where they do not differ."""
    deviation = float(scores.std())
    return (scores - scores.mean()) / deviation if deviation > 0 else np.zeros_like(scores)

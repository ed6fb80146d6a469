"""From signals to chances: small logistic models whose coefficients stand in calibration.json."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from core.retrieval.candidates import Candidate
from core.retrieval.reading import ReadPassage

FILE = Path(__file__).with_name("calibration.json")
"""Made by evals/fit_confidence.py; docs/quality.md says on which questions and how well it holds on others."""
UNKNOWN_FACTOR = 0.5
"""Where most of what is asked is no word of the books, a passage that looks like an answer is one seldom.

One answerable question of a thousand is so, and more than a quarter of those that are off topic.
"""
SURE_OF_SUBJECT = 0.92
"""From this chance on a book is about the subject, and whether the passage answers is all that is left to ask."""
UNREAD_DOUBT = -5.0
"""What the reranker would about say of a passage that was not worth reading."""


@dataclass(frozen=True, slots=True)
class Logistic:
    """A chance as the weighted sum of signals, squeezed between 0 and 1."""

    intercept: float
    weights: Mapping[str, float]

    def chance(self, signals: Mapping[str, float]) -> float:
        logit = self.intercept + sum(weight * signals[name] for name, weight in self.weights.items())
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, logit))))


@dataclass(frozen=True, slots=True)
class Calibration:
    """What signals mean for one pair of models.

    An answer needs both: a book that speaks of the subject (*on_topic*), and a passage that really
    answers (*supported*). Retrieval scores tell the first well and the second badly, so each has a model
    of its own, and their chances are multiplied, the first without what it says beyond being sure.
    """

    on_topic: Logistic
    supported: Logistic

    def answerability(self, signals: Mapping[str, float]) -> float:
        """The chance that the best passages answer the question."""
        subject = min(1.0, self.on_topic.chance(signals) / SURE_OF_SUBJECT)
        chance = subject * self.supported.chance(signals)
        return chance * UNKNOWN_FACTOR if signals["is_unknown"] else chance

    def relevance(self, candidate: Candidate, read: ReadPassage | None) -> float:
        """How near a chunk is to the question: the chance that it is on topic if this chunk were all there is."""
        return self.on_topic.chance(
            {
                "rerank_promise": read.promise if read else 0.0,
                "rerank_doubt": min(0.0, read.merit) if read else UNREAD_DOUBT,
                "cosine": candidate.cosine or 0.0,
                "covered": read.coverage if read else 0.0,
                "unknown_share": 0.0,
                "missing_word": 0.0,
            }
        )


def load_calibration(*, embedder: str, reranker: str | None) -> Calibration:
    """The calibration for these models.

    Cosines of another embedder and scores of another reranker mean something else. For models that were
    not measured only the signals by words are used, which every model leaves as they are.
    """
    stored = json.loads(FILE.read_text(encoding="utf-8"))
    is_known_embedder = embedder == stored["embedder"]
    is_known_reranker = reranker == stored["reranker"]
    if is_known_embedder and is_known_reranker:
        name = "both"
    elif is_known_embedder:
        name = "embedder"
    else:
        name = "reranker" if is_known_reranker else "words"
    models = {part: Logistic(**model) for part, model in stored["models"][name].items()}
    return Calibration(**models)

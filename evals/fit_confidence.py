"""Fits the calibration of the confidence from results of `footnote eval`, and checks it on other books.

    python -m evals.fit_confidence PACK=RESULTS.jsonl … [--write]

Two small logistic models whose chances are multiplied (core/retrieval/calibration.py): is the book about
it at all, and does the best passage support an answer. The first is fitted on answerable against off-topic
questions, the second on answerable questions against near misses with an intercept for each book. Both are then
brought to the population that core/evaluation/calibration.py states, where an answer is right or not.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.evaluation.calibration import POPULATION, class_of
from core.evaluation.matching import rightness
from core.evaluation.outcome import Outcome
from core.evaluation.pack import PackQuestion, read_pack
from core.evaluation.running import read_outcomes
from core.evaluation.scores import auroc
from core.retrieval.calibration import FILE, SURE_OF_SUBJECT
from evals.logistic import Array, Fitted, fit

ON_TOPIC = {
    "both": ("rerank_promise", "rerank_doubt", "cosine", "unknown_share", "covered"),
    "embedder": ("cosine", "unknown_share", "covered"),
    "reranker": ("rerank_promise", "rerank_doubt", "unknown_share", "covered"),
    "words": ("unknown_share", "covered", "missing_word"),
}
SUPPORTED = {
    "both": ("rerank", "is_negated", "missing_names", "missing_numbers", "best_cosine", "missing_word"),
    "embedder": ("is_negated", "missing_names", "missing_numbers", "best_cosine", "missing_word", "covered"),
    "reranker": ("rerank", "is_negated", "missing_names", "missing_numbers", "missing_word"),
    "words": ("is_negated", "missing_names", "missing_numbers", "missing_word", "covered"),
}
LENGTH = "length"
MOST_COUNTED = 400
"""A pack counts with the root of its questions, so that thousands of one kind do not drown dozens of another."""


@dataclass(frozen=True, slots=True)
class Row:
    """One question with its signals and what came of it."""

    pack: str
    question: PackQuestion
    outcome: Outcome
    rightness: float

    @property
    def kind(self) -> str:
        return class_of(self.question)


@dataclass(frozen=True, slots=True)
class Model:
    """Both parts of the confidence."""

    on_topic: Fitted
    supported: Fitted

    def chances(self, rows: Sequence[Row]) -> Array:
        topic = self.on_topic.chance(columns(rows, tuple(self.on_topic.weights)))
        return np.minimum(1.0, topic / SURE_OF_SUBJECT) * self.supported.chance(
            columns(rows, tuple(self.supported.weights))
        )


def read_rows(pairs: Sequence[str]) -> list[Row]:
    rows = []
    for pair in pairs:
        folder, _, results = pair.partition("=")
        pack = read_pack(Path(folder))
        outcomes = read_outcomes(Path(results))
        for question in pack.questions:
            outcome = outcomes.get(question.id)
            if outcome is not None and outcome.signals:
                rows.append(Row(pack.name, question, outcome, rightness(question, outcome)))
    return rows


def columns(rows: Sequence[Row], names: Sequence[str]) -> Array:
    return np.array([[row.outcome.signals[name] for name in names] for row in rows])


def class_weights(rows: Sequence[Row]) -> Array:
    """Weights that give each class its share of the population, and each pack its share of the class."""
    counts = Counter((row.pack, row.kind) for row in rows)
    shares = {key: min(count, MOST_COUNTED) ** 0.5 for key, count in counts.items()}
    totals = Counter[str]()
    for (_, kind), share in shares.items():
        totals[kind] += share
    return np.array(
        [
            POPULATION[row.kind] * shares[row.pack, row.kind] / totals[row.kind] / counts[row.pack, row.kind]
            for row in rows
        ]
    )


def slopes(names: Sequence[str], rows: Sequence[Row], against: str, *, by_book: bool) -> Fitted:
    """What tells answerable questions from those of class *against*, in the packs that have both."""
    counts = Counter((row.pack, row.kind) for row in rows)
    used = [row for row in rows if row.kind in {"answerable", against} and counts[row.pack, against]]
    weights = [min(counts[row.pack, against], MOST_COUNTED) ** 0.5 / counts[row.pack, row.kind] for row in used]
    labels = np.array([float(row.kind == "answerable") for row in used])
    groups = [row.pack for row in used] if by_book else None
    return fit(names, columns(used, names), labels, np.array(weights), groups=groups)


def levelled(raw: Fitted, rows: Sequence[Row], labels: Array, extra: Sequence[str] = ()) -> Fitted:
    """The same slopes, scaled and shifted so that their chance holds in the population."""
    inputs = (
        np.column_stack([raw.logit(columns(rows, tuple(raw.weights))), columns(rows, extra)])
        if extra
        else (raw.logit(columns(rows, tuple(raw.weights)))[:, None])
    )
    level = fit(("raw", *extra), inputs, labels, class_weights(rows), ridge=1e-3)
    scale = level.weights["raw"]
    weights = {name: scale * weight for name, weight in raw.weights.items()}
    weights |= {name: weights.get(name, 0.0) + level.weights[name] for name in extra}
    return Fitted(level.intercept + scale * raw.intercept, weights)


def fit_model(rows: Sequence[Row], variant: str) -> Model:
    """Both parts, fitted on *rows* with the signals that *variant* has."""
    topic = slopes(ON_TOPIC[variant], rows, "off topic", by_book=False)
    support = slopes(SUPPORTED[variant], rows, "near miss", by_book=True)
    clear = [row for row in rows if row.kind != "near miss"]
    inside = [row for row in rows if row.kind != "off topic"]
    return Model(
        on_topic=levelled(topic, clear, np.array([float(row.kind == "answerable") for row in clear])),
        supported=levelled(support, inside, np.array([row.rightness for row in inside]), (LENGTH,)),
    )


def error(rows: Sequence[Row], chances: Array) -> float:
    """The expected calibration error in the population, over ten bins."""
    weights = class_weights(rows)
    right = np.array([row.rightness for row in rows])
    bins = np.minimum(9, (chances * 10).astype(int))
    return float(sum(abs((weights * (chances - right))[bins == each].sum()) for each in range(10)) / weights.sum())


def report(title: str, rows: Sequence[Row], chances: Array) -> None:
    print(f"\n{title}: calibration error {error(rows, chances):.3f}")
    print(f"{'':24}{'off':>7}{'near':>7}{'answered':>10}{'ref. near':>10}{'ref. off':>9}{'said':>7}{'right':>7}")
    for pack in dict.fromkeys(row.pack for row in rows):
        by = {
            kind: [float(c) for row, c in zip(rows, chances, strict=True) if row.pack == pack and row.kind == kind]
            for kind in POPULATION
        }
        known = by["answerable"]
        right = [row.rightness for row in rows if row.pack == pack and row.kind == "answerable"]
        cells = [
            auroc(known, by["off topic"]),
            auroc(known, by["near miss"]),
            float(np.mean(np.array(known) >= 0.6)),
            float(np.mean(np.array(by["near miss"]) < 0.6)) if by["near miss"] else None,
            float(np.mean(np.array(by["off topic"]) < 0.6)) if by["off topic"] else None,
            float(np.mean(known)),
            float(np.mean(right)),
        ]
        print(f"{pack:24}" + "".join(f"{'-' if c is None else format(c, '.3f'):>9}" for c in cells))


def left_out(rows: Sequence[Row], variant: str) -> Array:
    """Each pack's chances from a model that never saw it."""
    chances = np.zeros(len(rows))
    for pack in {row.pack for row in rows}:
        seen = [row for row in rows if row.pack != pack]
        mine = np.array([row.pack == pack for row in rows])
        chances[mine] = fit_model(seen, variant).chances([row for row in rows if row.pack == pack])
    return chances


def halves(rows: Sequence[Row], variant: str) -> Array:
    """Each half of every pack's files from a model fitted on the other half."""
    side = np.array([_half(row.question) for row in rows])
    chances = np.zeros(len(rows))
    for each in (0, 1):
        seen = [row for row, half in zip(rows, side, strict=True) if half != each]
        mine = side == each
        chances[mine] = fit_model(seen, variant).chances([row for row, m in zip(rows, mine, strict=True) if m])
    return chances


def _half(question: PackQuestion) -> int:
    """Questions on one chapter stay together; those without a place go by their id."""
    key = question.gold[0].file.split("/")[0] if question.gold else question.id
    return sum(key.encode()) % 2


def to_json(fitted: Fitted) -> dict[str, object]:
    weights = {name: round(weight, 4) for name, weight in fitted.weights.items()}
    return {"intercept": round(fitted.intercept, 4), "weights": weights}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("results", nargs="+", metavar="PACK=RESULTS.jsonl")
    parser.add_argument("--write", action="store_true", help=f"put the coefficients into {FILE.name}")
    given = parser.parse_args(sys.argv[1:])
    rows = read_rows(given.results)
    report("fitted on all", rows, fit_model(rows, "both").chances(rows))
    report("each pack by a model that never saw it", rows, left_out(rows, "both"))
    report("each half of the chapters by a model of the other half", rows, halves(rows, "both"))
    if given.write:
        stored = json.loads(FILE.read_text(encoding="utf-8"))
        for variant in ON_TOPIC:
            model = fit_model(rows, variant)
            stored["models"][variant] = {
                "on_topic": to_json(model.on_topic),
                "supported": to_json(model.supported),
            }
        FILE.write_text(json.dumps(stored, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

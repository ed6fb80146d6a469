"""Logistic regression in a few lines, so that what is fitted can be read."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
STEPS = 40


@dataclass(frozen=True, slots=True)
class Fitted:
    """A model in the units of its inputs."""

    intercept: float
    weights: dict[str, float]

    def logit(self, rows: Array) -> Array:
        total: Array = self.intercept + rows @ np.array(list(self.weights.values()))
        return total

    def chance(self, rows: Array) -> Array:
        return 1.0 / (1.0 + np.exp(-np.clip(self.logit(rows), -30, 30)))


def fit(
    names: Sequence[str],
    rows: Array,
    labels: Array,
    weights: Array,
    *,
    groups: Sequence[str] | None = None,
    ridge: float = 3e-3,
) -> Fitted:
    """The logistic model of *labels* by Newton's method.

    With *groups* each group has an intercept of its own while fitting, so that the slopes tell what
    separates the classes inside a book and not one book from another.
    """
    mean = np.average(rows, axis=0, weights=weights)
    spread = np.sqrt(np.average((rows - mean) ** 2, axis=0, weights=weights)) + 1e-9
    known = sorted(set(groups)) if groups is not None else ["all"]
    member = groups if groups is not None else ["all"] * len(rows)
    ones = np.array([[float(each == group) for group in known] for each in member])
    design = np.column_stack([(rows - mean) / spread, ones])
    penalty = np.diag([ridge] * rows.shape[1] + [1e-4] * len(known))
    solution = np.zeros(design.shape[1])
    for _ in range(STEPS):
        chance = 1.0 / (1.0 + np.exp(-np.clip(design @ solution, -30, 30)))
        slope = design.T @ (weights * (chance - labels)) / weights.sum() + penalty @ solution
        curve = (design * (weights * chance * (1 - chance))[:, None]).T @ design / weights.sum() + penalty
        solution -= np.linalg.solve(curve, slope)
    slopes = solution[: rows.shape[1]] / spread
    intercept = float(solution[rows.shape[1] :].mean() - slopes @ mean)
    return Fitted(intercept, dict(zip(names, slopes.tolist(), strict=True)))

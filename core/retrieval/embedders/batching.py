"""Texts in batches that a service takes at once, and its rows as vectors of length one."""

from collections.abc import Iterator, Sequence

import numpy as np

from core.ports import Vector

BLANK = "-"
"""Services refuse an empty text; this stands for one."""


def batches(texts: Sequence[str], *, most_texts: int, most_chars: int, longest: int) -> Iterator[list[str]]:
    """The texts in order, in batches within both limits; none longer than *longest*."""
    batch: list[str] = []
    size = 0
    for text in texts:
        cut = (text if text.strip() else BLANK)[:longest]
        if batch and (len(batch) == most_texts or size + len(cut) > most_chars):
            yield batch
            batch, size = [], 0
        batch.append(cut)
        size += len(cut)
    if batch:
        yield batch


def to_vectors(rows: Sequence[Sequence[float]]) -> list[Vector]:
    """Each row as a vector of length one."""
    return [_unit(np.asarray(row, dtype=np.float32)) for row in rows]


def _unit(vector: Vector) -> Vector:
    length = float(np.linalg.norm(vector))
    return vector if length == 0 else (vector / length).astype(np.float32)

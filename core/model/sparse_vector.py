"""A text as weighted words: what BM25 compares."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SparseVector:
    """Term ids with their weights; ids are unsigned 32-bit hashes, ascending."""

    indices: tuple[int, ...]
    values: tuple[float, ...]

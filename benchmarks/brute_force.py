"""What an index is measured against: everything in memory, every number looked at, nothing but numpy."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.model import Filters, SparseVector
from core.ports import IndexEntry, IndexHit, Vector


class BruteForce:
    """The exact answer to a search, by comparing with every entry that passes the filter."""

    def __init__(self, entries: Sequence[IndexEntry]) -> None:
        self._ids = [entry.chunk_id for entry in entries]
        self._vectors = np.stack([entry.embedding for entry in entries if entry.embedding is not None])
        self._books = np.array([entry.place.book for entry in entries])
        self._chapters = np.array([entry.place.chapter for entry in entries])
        self._tiers = np.array([entry.place.tier for entry in entries])
        self._levels = np.array([str(entry.place.level) for entry in entries])
        self._postings = _postings(entries)

    def search_dense(self, query: Vector, filters: Filters, limit: int) -> list[IndexHit]:
        rows = self._rows(filters)
        scores = self._vectors[rows] @ query if rows is not None else self._vectors @ query
        return self._best(scores, rows, limit)

    def search_words(self, query: SparseVector, filters: Filters, limit: int) -> list[IndexHit]:
        corpus = self._books_mask(filters)
        total = int(corpus.sum())
        scores = np.zeros(len(self._ids), dtype=np.float32)
        for term, weight in zip(query.indices, query.values, strict=True):
            rows, weights = self._postings.get(term, _NOTHING)
            holding = int(corpus[rows].sum())
            rarity = np.log(1 + (total - holding + 0.5) / (holding + 0.5))
            scores[rows] += weights * weight * rarity
        wanted = self._rows(filters)
        return self._best(scores[wanted] if wanted is not None else scores, wanted, limit)

    def _books_mask(self, filters: Filters) -> NDArray[np.bool_]:
        return np.isin(self._books, filters.books)

    def _rows(self, filters: Filters) -> NDArray[np.intp] | None:
        mask = self._books_mask(filters)
        if filters.chapter_min is not None:
            mask &= self._chapters >= filters.chapter_min
        if filters.chapter_max is not None:
            mask &= self._chapters <= filters.chapter_max
        if filters.tier is not None:
            mask &= self._tiers <= filters.tier
        if filters.levels:
            mask &= np.isin(self._levels, [str(level) for level in filters.levels])
        return None if mask.all() else np.flatnonzero(mask)

    def _best(self, scores: NDArray[np.float32], rows: NDArray[np.intp] | None, limit: int) -> list[IndexHit]:
        count = min(limit, len(scores))
        best = np.argpartition(-scores, count - 1)[:count] if count else np.empty(0, dtype=np.intp)
        best = best[np.argsort(-scores[best])]
        return [
            IndexHit(self._ids[int(rows[at]) if rows is not None else int(at)], float(scores[at]))
            for at in best
            if scores[at] > 0
        ]


Posting = tuple[NDArray[np.intp], NDArray[np.float32]]
_NOTHING: Posting = (np.empty(0, dtype=np.intp), np.empty(0, dtype=np.float32))


def _postings(entries: Sequence[IndexEntry]) -> dict[int, Posting]:
    found: dict[int, tuple[list[int], list[float]]] = defaultdict(lambda: ([], []))
    for row, entry in enumerate(entries):
        for term, weight in zip(entry.terms.indices, entry.terms.values, strict=True):
            found[term][0].append(row)
            found[term][1].append(weight)
    return {
        term: (np.array(rows, dtype=np.intp), np.array(weights, dtype=np.float32))
        for term, (rows, weights) in found.items()
    }

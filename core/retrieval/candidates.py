"""The chunks worth a closer look: by meaning and by words, over the same books and filters."""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import ServiceError
from core.model import Chunk, Filters
from core.ports import Embedder, Index, IndexHit, Vector
from core.retrieval.fusion import fused
from core.retrieval.query import Query
from core.retrieval.repeating import repeats_behind
from core.store.library import Library

FETCHED = 50
"""How many each list brings. The right chunk is among them 99 times of 100; more only costs time."""
KEPT = 30
"""How many go on after both lists became one."""
FAVOUR = 1.0
"""How much a chunk gains that the conversation is about, in deviations of the score."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk with what speaks for it before anyone has read it."""

    chunk: Chunk
    fused: float
    cosine: float | None
    bm25: float | None


@dataclass(frozen=True, slots=True)
class Pool:
    """Candidates, best first, and how many there were before the worst were left out."""

    candidates: tuple[Candidate, ...]
    total: int
    is_everything: bool
    """Whether the books and filters searched hold nothing else."""


class Candidates:
    """Finds candidates. Without an answer from the embedder it finds them by words alone."""

    def __init__(self, *, index: Index, library: Library, embedder: Embedder) -> None:
        self._index = index
        self._library = library
        self._embedder = embedder

    async def find(self, query: Query, scope: Filters, *, also: Sequence[str] = ()) -> Pool:
        """What *scope* holds for *query*, and the chunks *also*; those with the same text appear once."""
        terms = query.terms
        by_words = await self._index.search_words(terms, scope, limit=FETCHED) if terms.indices else []
        vector = await self._embedded(query)
        by_meaning = await self._index.search_dense(vector, scope, limit=FETCHED) if vector is not None else []
        ids = list(dict.fromkeys([*(hit.chunk_id for hit in (*by_words, *by_meaning)), *also]))
        bm25, cosines = _scores(by_words), _scores(by_meaning)
        # What one list did not bring has a score there too; to take it for zero would punish it twice.
        if terms.indices:
            missing = [each for each in ids if each not in bm25]
            bm25 |= await self._index.score_words(terms, missing, books=scope.books)
        if vector is not None:
            missing = [each for each in ids if each not in cosines]
            cosines |= await self._index.score_dense(vector, missing)
        order = _favoured(fused(cosines, bm25), also)
        chunks = await self._library.chunks(order)
        # What was said before may come from a book that is no longer asked about.
        folded = _folded([chunk for chunk in chunks.values() if chunk.place.book in scope.books])
        kept = tuple(
            Candidate(chunk, score, cosines.get(chunk.id), bm25.get(chunk.id))
            for chunk, score in repeats_behind(folded, order)[:KEPT]
        )
        found = len({hit.chunk_id for hit in (*by_words, *by_meaning)})
        return Pool(kept, total=len(folded), is_everything=await self._is_everything(found, scope))

    async def _is_everything(self, found: int, scope: Filters) -> bool:
        """Only a small scope is ever found whole; a larger one is not counted."""
        return found <= KEPT and found == await self._index.count(scope)

    async def _embedded(self, query: Query) -> Vector | None:
        """The direction of all its meanings together."""
        try:
            vectors = [await self._embedder.embed_query(text) for text in query.meanings]
        except ServiceError as error:
            # Words find most of what is asked for; no answer at all would be worse.
            log.warning("searching by words only: %s", error)
            return None
        total: Vector = np.sum(vectors, axis=0)
        return total / np.linalg.norm(total)


def _scores(hits: Sequence[IndexHit]) -> dict[str, float]:
    return {hit.chunk_id: hit.score for hit in hits}


def _favoured(scores: Mapping[str, float], favourites: Collection[str]) -> dict[str, float]:
    """The scores, best first, with a little more for what the conversation is about."""
    raised = {each: score + FAVOUR * (each in favourites) for each, score in scores.items()}
    return dict(sorted(raised.items(), key=lambda item: -item[1]))


def _folded(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Each text once, at its best place."""
    first: dict[str, Chunk] = {}
    for chunk in chunks:
        first.setdefault(chunk.content_hash, chunk)
    return list(first.values())

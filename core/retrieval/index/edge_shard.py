"""Qdrant's engine inside this process: one shard on disk, called from one thread."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import qdrant_edge as qdrant

from core.ports import IndexEntry, IndexHit, SparseVector, Vector
from core.retrieval.index.edge_terms import (
    field_indexes,
    only,
    shard_config,
    to_filter,
    to_point,
    translated,
    words_request,
)
from core.retrieval.index.payload import SPACE_PREFIX, TENANT, Condition, to_numbers

Update = qdrant.UpdateOperation
SETTINGS_FILE = "edge_config.json"
MOST_BOOKS = 1000


class EdgeShard:
    """The engine's calls in our own terms. Each holds the interpreter until it is done: ask for little at once.

    Raises:
        ServiceDown: from any call, when the engine fails; the reason says what repairs it.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        with translated(folder):
            exists = (folder / "segments").exists()
            path = str(folder)
            self._shard = qdrant.EdgeShard.load(path) if exists else qdrant.EdgeShard.create(path, shard_config())
            self._add_missing_field_indexes()
            self._books = self._count_books()
        self._folder = folder

    def close(self) -> None:
        """Write everything out and let go of the files."""
        with translated(self._folder):
            self._shard.flush()
            self._shard.close()

    def add_space(self, space: str, dimension: int) -> None:
        """Make room for the vectors of a model; harmless where there is some."""
        with translated(self._folder):
            # 16 bits for each number: half the memory, searches up to twice as fast, the same hits.
            self._shard.update(
                Update.create_dense_vector(
                    space, dimension, qdrant.Distance.Cosine, datatype=qdrant.VectorStorageDatatype.Turbo16
                )
            )

    def spaces(self) -> list[str]:
        """The spaces there are. The engine tells them nowhere but in its own settings file."""
        with translated(self._folder):
            settings = json.loads((self._folder / SETTINGS_FILE).read_text(encoding="utf-8"))
        return [name for name in settings.get("vectors", {}) if name.startswith(SPACE_PREFIX)]

    def drop_space(self, space: str) -> None:
        with translated(self._folder):
            self._shard.update(Update.delete_vector_name(space))

    def put(self, space: str, entries: Sequence[IndexEntry]) -> None:
        if self._books is not None:
            self._books.update(entry.place.book for entry in entries)
        with translated(self._folder):
            self._shard.update(Update.upsert_points([to_point(entry, space) for entry in entries]))

    def put_embeddings(self, space: str, embeddings: Mapping[str, Vector]) -> None:
        with translated(self._folder):
            known = self._shard.retrieve(list(embeddings), with_payload=False, with_vector=False)
            vectors = [
                qdrant.PointVectors(point.id, {space: to_numbers(embeddings[str(point.id)])}) for point in known
            ]
            if vectors:
                self._shard.update(Update.update_vectors(vectors))

    def delete(self, chunk_ids: Sequence[str]) -> None:
        with translated(self._folder):
            self._shard.update(Update.delete_points(list(chunk_ids)))

    def search_dense(
        self, space: str, query: Vector, conditions: Sequence[Condition], limit: int
    ) -> list[IndexHit]:
        nearest = qdrant.Query.Nearest(to_numbers(query), using=space)
        return self._query(qdrant.QueryRequest(limit=limit, query=nearest, filter=self._filter(conditions)))

    def search_words(
        self, query: SparseVector, conditions: Sequence[Condition], corpus: Sequence[Condition], limit: int
    ) -> list[IndexHit]:
        return self._query(words_request(query, self._filter(conditions), corpus, limit))

    def score_dense(self, space: str, query: Vector, chunk_ids: Sequence[str]) -> list[IndexHit]:
        nearest = qdrant.Query.Nearest(to_numbers(query), using=space)
        request = qdrant.QueryRequest(limit=len(chunk_ids), query=nearest, filter=only(chunk_ids))
        return self._query(request)

    def score_words(
        self, query: SparseVector, chunk_ids: Sequence[str], corpus: Sequence[Condition]
    ) -> list[IndexHit]:
        return self._query(words_request(query, only(chunk_ids), corpus, len(chunk_ids)))

    def embeddings(self, space: str, chunk_ids: Sequence[str]) -> dict[str, Vector]:
        with translated(self._folder):
            points = self._shard.retrieve(list(chunk_ids), with_payload=False, with_vector=[space])
        vectors = {str(point.id): point.vector for point in points}
        return {
            chunk_id: np.asarray(named[space], dtype=np.float32)
            for chunk_id, named in vectors.items()
            if isinstance(named, dict) and space in named
        }

    def count(self, conditions: Sequence[Condition]) -> int:
        with translated(self._folder):
            found: int = self._shard.count(qdrant.CountRequest(filter=to_filter(conditions), exact=True))
        return found

    def chunk_ids(
        self, conditions: Sequence[Condition], *, after: str | None, limit: int
    ) -> tuple[list[str], str | None]:
        """Some of the ids, and where to go on; None after the last."""
        request = qdrant.ScrollRequest(
            offset=after,
            limit=limit,
            filter=to_filter(conditions),
            with_payload=False,
            with_vector=False,
        )
        with translated(self._folder):
            points, following = self._shard.scroll(request)
        return [str(point.id) for point in points], str(following) if following else None

    def _query(self, request: qdrant.QueryRequest) -> list[IndexHit]:
        with translated(self._folder):
            return [IndexHit(str(point.id), point.score) for point in self._shard.query(request)]

    def _filter(self, conditions: Sequence[Condition]) -> qdrant.Filter | None:
        """The conditions, without one that lets every book through: checking it costs as much as the search."""
        return to_filter([each for each in conditions if not self._names_every_book(each)])

    def _names_every_book(self, condition: Condition) -> bool:
        if condition.field != TENANT or self._books is None:
            return False
        named = condition.value if isinstance(condition.value, tuple) else (condition.value,)
        return self._books.issubset(named)

    def _count_books(self) -> set[str] | None:
        """The books there are entries of, and perhaps some more; None where there are too many to tell."""
        found = self._shard.facet(qdrant.FacetRequest(key=TENANT, limit=MOST_BOOKS, exact=True)).hits
        return {str(hit.value) for hit in found} if len(found) < MOST_BOOKS else None

    def _add_missing_field_indexes(self) -> None:
        existing = set(self._shard.info().payload_schema)
        for field, params in field_indexes().items():
            if field not in existing:
                self._shard.update(Update.create_field_index(field, params))

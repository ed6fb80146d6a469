"""Qdrant's engine inside this process: one shard on disk, called from one thread."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic, sleep

import numpy as np
import qdrant_edge as qdrant

from core.model import SparseVector
from core.ports import IndexEntry, IndexHit, Vector
from core.retrieval.index.edge_terms import (
    field_indexes,
    only,
    shard_config,
    to_filter,
    to_point,
    translated,
    words_request,
)
from core.retrieval.index.payload import SPACE_PREFIX, TENANT, Condition, Test, to_numbers
from core.retrieval.index.places import FIELDS, MOST_PLACES, PLACE, Places

Update = qdrant.UpdateOperation
SETTINGS_FILE = "edge_config.json"
IN_USE = "WouldBlock"
"""What the engine says of files that another process holds."""
IN_USE_SECONDS, AGAIN_SECONDS = 2.0, 0.05


class EdgeShard:
    """The engine's calls in our own terms. Each holds the interpreter until it is done: ask for little at once.

    Raises:
        ServiceDown: from any call, when the engine fails; the reason says what repairs it.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        with translated(folder):
            exists = (folder / "segments").exists()
            self._shard = _load(folder) if exists else qdrant.EdgeShard.create(str(folder), shard_config())
            self._add_missing_field_indexes()
            self._places = self._find_places()

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
        self._note_places(entries)
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
        """The conditions as the engine checks them fastest.

        It checks one after another for each entry, which costs several times as much as comparing vectors. So one
        field that names all places that pass stands for the conditions on a place, and no condition for those
        that let everything through.
        """
        if self._places is None:
            return to_filter(conditions)
        of_place = [each for each in conditions if each.field in FIELDS]
        others = [each for each in conditions if each.field not in FIELDS]
        passing = self._places.passing(of_place)
        if passing is None:
            return to_filter(others)
        if [each.field for each in of_place] == [TENANT]:
            return to_filter(conditions)
        return to_filter([Condition(PLACE, Test.ANY_OF, passing), *others])

    def _note_places(self, entries: Sequence[IndexEntry]) -> None:
        if self._places is not None:
            self._places.add(entry.place for entry in entries)
            self._places = self._places if len(self._places) <= MOST_PLACES else None

    def _find_places(self) -> Places | None:
        """The places there are entries of; None where they are too many, or an entry does not say its own."""
        found = self._shard.facet(qdrant.FacetRequest(key=PLACE, limit=MOST_PLACES + 1, exact=True)).hits
        is_told_by_all = sum(hit.count for hit in found) == self.count(())
        return Places(str(hit.value) for hit in found) if is_told_by_all and len(found) <= MOST_PLACES else None

    def _add_missing_field_indexes(self) -> None:
        existing = set(self._shard.info().payload_schema)
        for field, params in field_indexes().items():
            if field not in existing:
                self._shard.update(Update.create_field_index(field, params))


def _load(folder: Path) -> qdrant.EdgeShard:
    """The shard in *folder*. A process that held it may have been killed a moment ago and be about to let go."""
    waits_until = monotonic() + IN_USE_SECONDS
    while True:
        try:
            return qdrant.EdgeShard.load(str(folder))
        # The engine raises plain ones.
        except Exception as error:
            if IN_USE not in str(error) or monotonic() > waits_until:
                raise
        sleep(AGAIN_SECONDS)

"""The index on a Qdrant server or cluster."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from qdrant_client import AsyncQdrantClient, models

from core.errors import IndexMismatch
from core.model import Filters, SparseVector
from core.ports import IndexEntry, IndexHit, Vector
from core.retrieval.index.payload import (
    SPACE_PREFIX,
    WORDS,
    best_first,
    book_conditions,
    in_batches,
    space_name,
    to_conditions,
    to_numbers,
)
from core.retrieval.index.server_terms import (
    field_indexes,
    graph_config,
    only,
    rarity_in,
    space_config,
    space_params,
    to_filter,
    to_point,
    to_sparse,
    translated,
    words_config,
)

ENTRIES_AT_ONCE = 256
IDS_AT_ONCE = 1000
TIMEOUT_SECONDS = 30


class ServerIndex:
    """Finds chunks in one space of a server's collection. Made by `open_server_index`."""

    def __init__(self, client: AsyncQdrantClient, *, collection: str, space: str) -> None:
        self._client = client
        self._collection = collection
        self._space = space

    async def put(self, entries: Sequence[IndexEntry]) -> None:
        for batch in in_batches(entries, ENTRIES_AT_ONCE):
            points = [to_point(entry, self._space) for entry in batch]
            with translated():
                await self._client.upsert(self._collection, points, wait=True)

    async def put_embeddings(self, embeddings: Mapping[str, Vector]) -> None:
        for batch in in_batches(embeddings, ENTRIES_AT_ONCE):
            with translated():
                known = await self._client.retrieve(self._collection, batch, with_payload=False)
                vectors = [
                    models.PointVectors(id=point.id, vector={self._space: to_numbers(embeddings[str(point.id)])})
                    for point in known
                ]
                if vectors:
                    await self._client.update_vectors(self._collection, vectors, wait=True)

    async def delete(self, chunk_ids: Sequence[str]) -> None:
        for batch in in_batches(chunk_ids, IDS_AT_ONCE):
            with translated():
                await self._client.delete(self._collection, models.PointIdsList(points=list(batch)), wait=True)

    async def delete_book(self, book: str) -> None:
        wanted = to_filter(book_conditions((book,)))
        with translated():
            await self._client.delete(self._collection, models.FilterSelector(filter=wanted), wait=True)

    async def search_dense(self, query: Vector, filters: Filters, *, limit: int) -> list[IndexHit]:
        book_conditions(filters.books)
        return await self._query(to_numbers(query), self._space, to_filter(to_conditions(filters)), limit)

    async def search_words(self, query: SparseVector, filters: Filters, *, limit: int) -> list[IndexHit]:
        params = rarity_in(book_conditions(filters.books))
        if not query.indices:
            return []
        return await self._query(to_sparse(query), WORDS, to_filter(to_conditions(filters)), limit, params)

    async def score_dense(self, query: Vector, chunk_ids: Sequence[str]) -> dict[str, float]:
        if not chunk_ids:
            return {}
        hits = await self._query(to_numbers(query), self._space, only(chunk_ids), len(chunk_ids))
        return {hit.chunk_id: hit.score for hit in hits}

    async def score_words(
        self, query: SparseVector, chunk_ids: Sequence[str], *, books: Sequence[str]
    ) -> dict[str, float]:
        if not chunk_ids or not query.indices:
            return {}
        params = rarity_in(book_conditions(books))
        hits = await self._query(to_sparse(query), WORDS, only(chunk_ids), len(chunk_ids), params)
        return {hit.chunk_id: hit.score for hit in hits}

    async def embeddings(self, chunk_ids: Sequence[str]) -> dict[str, Vector]:
        found: dict[str, Vector] = {}
        for batch in in_batches(chunk_ids, ENTRIES_AT_ONCE):
            with translated():
                points = await self._client.retrieve(
                    self._collection, batch, with_payload=False, with_vectors=[self._space]
                )
            for point in points:
                if isinstance(point.vector, dict) and self._space in point.vector:
                    found[str(point.id)] = np.asarray(point.vector[self._space], dtype=np.float32)
        return found

    async def count(self, filters: Filters) -> int:
        wanted = to_filter(to_conditions(filters))
        with translated():
            return (await self._client.count(self._collection, wanted, exact=True)).count

    async def chunk_ids(self, book: str) -> list[str]:
        wanted = to_filter(book_conditions((book,)))
        found: list[str] = []
        after: models.ExtendedPointId | None = None
        while True:
            with translated():
                points, after = await self._client.scroll(
                    self._collection, wanted, limit=IDS_AT_ONCE, offset=after, with_payload=False
                )
            found += [str(point.id) for point in points]
            if after is None:
                return found

    async def in_space(self, model: str, dimension: int) -> "ServerIndex":
        space = space_name(model, dimension)
        if space not in await self._spaces():
            with translated():
                await self._client.create_vector_name(self._collection, space, space_config(dimension))
        return ServerIndex(self._client, collection=self._collection, space=space)

    async def keep_spaces(self, kept: Collection[tuple[str, int]]) -> None:
        wanted = {self._space, *(space_name(model, dimension) for model, dimension in kept)}
        for space in await self._spaces():
            if space not in wanted:
                with translated():
                    await self._client.delete_vector_name(self._collection, space)

    async def close(self) -> None:
        await self._client.close()

    async def _spaces(self) -> list[str]:
        with translated():
            info = await self._client.get_collection(self._collection)
        vectors = info.config.params.vectors
        return [name for name in vectors if name.startswith(SPACE_PREFIX)] if isinstance(vectors, dict) else []

    async def _query(
        self,
        query: list[float] | models.SparseVector,
        using: str,
        wanted: models.Filter,
        limit: int,
        params: models.SearchParams | None = None,
    ) -> list[IndexHit]:
        with translated():
            found = await self._client.query_points(
                self._collection,
                query=query,
                using=using,
                query_filter=wanted,
                search_params=params,
                limit=limit,
                with_payload=False,
            )
        return best_first([IndexHit(str(point.id), point.score) for point in found.points])


async def open_server_index(
    url: str,
    *,
    key: str | None,
    collection: str,
    model: str,
    dimension: int,
    timeout_seconds: int = TIMEOUT_SECONDS,
) -> ServerIndex:
    """The index in a server's collection, made if need be, in the space of a model.

    Raises:
        ServiceError: the server cannot be reached or refuses; the reason says what to do.
        IndexMismatch: the collection was made by something else.
    """
    # As a header, not as api_key: that would warn on every local server without TLS.
    headers = {"api-key": key} if key else None
    client = AsyncQdrantClient(url=url, headers=headers, timeout=timeout_seconds, check_compatibility=False)
    try:
        await _ensure_collection(client, collection, space_name(model, dimension), dimension)
        return await ServerIndex(client, collection=collection, space="").in_space(model, dimension)
    except BaseException:
        await client.close()
        raise


async def _ensure_collection(client: AsyncQdrantClient, collection: str, space: str, dimension: int) -> None:
    with translated():
        if not await client.collection_exists(collection):
            await client.create_collection(
                collection,
                vectors_config={space: space_params(dimension)},
                sparse_vectors_config=words_config(),
                hnsw_config=graph_config(),
            )
        info = await client.get_collection(collection)
        if WORDS not in (info.config.params.sparse_vectors or {}):
            raise IndexMismatch(
                f"The collection {collection} on the Qdrant server was not made by Footnote. "
                "Set QDRANT_COLLECTION_NAME to another name."
            )
        for field, schema in field_indexes().items():
            if field not in (info.payload_schema or {}):
                await client.create_payload_index(collection, field, schema, wait=True)

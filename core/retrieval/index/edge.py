"""The index that needs no server: Qdrant's engine on a thread of this process, or in a process of its own."""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from core.model import Filters, SparseVector
from core.ports import IndexEntry, IndexHit, Vector
from core.retrieval.index.edge_shard import EdgeShard
from core.retrieval.index.payload import best_first, book_conditions, in_batches, space_name, to_conditions
from core.retrieval.index.shard_process import ShardProcess
from core.retrieval.index.shard_thread import ShardThread

ENTRIES_AT_ONCE = 32
"""A few milliseconds of work: a member's search waits its turn behind one of these, and on a thread of this
process the engine holds the interpreter meanwhile."""
IDS_AT_ONCE = 1000

P = ParamSpec("P")
T = TypeVar("T")


class ShardHost(Protocol):
    """Where a shard lives; its calls are made one after another, away from the event loop."""

    async def open(self) -> None:
        """Open the shard. Once, before anything else."""

    async def run(self, call: Callable[Concatenate[EdgeShard, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What *call*, a method of the shard, gives."""

    async def close(self) -> None:
        """Close the shard, if it is open, and let go of what it lives in."""


class EdgeIndex:
    """Finds chunks in one space of a shard. Made by `open_edge_index`.

    What was put survives a killed process: it is in the engine's log when the call returns. The log is written
    out when the index is closed and not before, because that would keep searches waiting for up to a second in a
    large library. What a power failure may cost is found missing and put back at the next start.
    """

    def __init__(self, host: ShardHost, *, space: str) -> None:
        self._host = host
        self._space = space

    async def put(self, entries: Sequence[IndexEntry]) -> None:
        for batch in in_batches(entries, ENTRIES_AT_ONCE):
            await self._host.run(EdgeShard.put, self._space, batch)

    async def put_embeddings(self, embeddings: Mapping[str, Vector]) -> None:
        for batch in in_batches(embeddings.items(), ENTRIES_AT_ONCE):
            await self._host.run(EdgeShard.put_embeddings, self._space, dict(batch))

    async def delete(self, chunk_ids: Sequence[str]) -> None:
        for batch in in_batches(chunk_ids, IDS_AT_ONCE):
            await self._host.run(EdgeShard.delete, batch)

    async def delete_book(self, book: str) -> None:
        # Piece by piece: deleting a large book in one call would hold the interpreter for seconds.
        await self.delete(await self.chunk_ids(book))

    async def search_dense(self, query: Vector, filters: Filters, *, limit: int) -> list[IndexHit]:
        book_conditions(filters.books)
        conditions = to_conditions(filters)
        hits = await self._host.run(EdgeShard.search_dense, self._space, query, conditions, limit)
        return best_first(hits)

    async def search_words(self, query: SparseVector, filters: Filters, *, limit: int) -> list[IndexHit]:
        corpus, conditions = book_conditions(filters.books), to_conditions(filters)
        if not query.indices:
            return []
        hits = await self._host.run(EdgeShard.search_words, query, conditions, corpus, limit)
        return best_first(hits)

    async def score_dense(self, query: Vector, chunk_ids: Sequence[str]) -> dict[str, float]:
        if not chunk_ids:
            return {}
        hits = await self._host.run(EdgeShard.score_dense, self._space, query, chunk_ids)
        return {hit.chunk_id: hit.score for hit in hits}

    async def score_words(
        self, query: SparseVector, chunk_ids: Sequence[str], *, books: Sequence[str]
    ) -> dict[str, float]:
        if not chunk_ids or not query.indices:
            return {}
        corpus = book_conditions(books)
        hits = await self._host.run(EdgeShard.score_words, query, chunk_ids, corpus)
        return {hit.chunk_id: hit.score for hit in hits}

    async def embeddings(self, chunk_ids: Sequence[str]) -> dict[str, Vector]:
        found: dict[str, Vector] = {}
        for batch in in_batches(chunk_ids, IDS_AT_ONCE):
            found |= await self._host.run(EdgeShard.embeddings, self._space, batch)
        return found

    async def count(self, filters: Filters) -> int:
        return await self._host.run(EdgeShard.count, to_conditions(filters))

    async def chunk_ids(self, book: str) -> list[str]:
        conditions = book_conditions((book,))
        found: list[str] = []
        after: str | None = None
        while True:
            ids, after = await self._host.run(EdgeShard.chunk_ids, conditions, after=after, limit=IDS_AT_ONCE)
            found += ids
            if after is None:
                return found

    async def in_space(self, model: str, dimension: int) -> "EdgeIndex":
        space = space_name(model, dimension)
        await self._host.run(EdgeShard.add_space, space, dimension)
        return EdgeIndex(self._host, space=space)

    async def keep_spaces(self, kept: Collection[tuple[str, int]]) -> None:
        wanted = {self._space, *(space_name(model, dimension) for model, dimension in kept)}
        for space in await self._host.run(EdgeShard.spaces):
            if space not in wanted:
                await self._host.run(EdgeShard.drop_space, space)

    async def close(self) -> None:
        await self._host.close()


async def open_edge_index(folder: Path, *, model: str, dimension: int, is_apart: bool = False) -> EdgeIndex:
    """The index in *folder*, made if need be, in the space of a model; *is_apart* puts it in its own process.

    Raises:
        ServiceDown: its files are damaged or in use; the reason says what to do.
    """
    host: ShardHost = ShardProcess(folder) if is_apart else ShardThread(folder)
    try:
        await host.open()
        return await EdgeIndex(host, space="").in_space(model, dimension)
    except BaseException:
        await host.close()
        raise

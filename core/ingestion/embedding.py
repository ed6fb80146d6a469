"""Embeddings of chunks, each made once and kept."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from time import perf_counter

from core.errors import ServiceError
from core.ingestion.entries import embedded_hash, embedded_text
from core.model import Chunk
from core.ports import Embedder, Vector
from core.store.embedding_cache import EmbeddingCache

FAST_SECONDS = 0.005
"""An embedder quicker than this per chunk is asked at once, and its vectors are not worth keeping."""
PROBED_CHUNKS = 4
PROBE_SECONDS = 3.0
SMALLEST_BATCH, LARGEST_BATCH = 4, 256
BATCH_SECONDS = 1.0
"""About how long a batch should take, so that progress moves and a cancelled job stops soon."""


class Embedding:
    """Embeds chunks with one embedder and learns how quick it is."""

    def __init__(self, *, embedder: Embedder, cache: EmbeddingCache) -> None:
        self._embedder = embedder
        self._cache = cache
        self._seconds_per_chunk: float | None = None
        self._batch = SMALLEST_BATCH

    @property
    def model(self) -> str:
        return self._embedder.model

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    async def at_once(self, chunks: Sequence[Chunk]) -> dict[str, Vector]:
        """The embeddings that can be had without a wait worth mentioning, by chunk id.

        All of them from an embedder that is fast; otherwise those that were made before.
        """
        if self._seconds_per_chunk is None and chunks:
            await self._probe(chunks[:PROBED_CHUNKS])
        if self._is_fast:
            with suppress(ServiceError):
                return await self._embedded(chunks)
        return await self._known(chunks)

    async def of(self, chunks: Sequence[Chunk]) -> dict[str, Vector]:
        """The embedding of every chunk, by its id."""
        if self._is_fast:
            return await self._embedded(chunks)
        known = await self._known(chunks)
        missing = [chunk for chunk in chunks if chunk.id not in known]
        made = await self._embedded(missing)
        await self._cache.put(self.model, {embedded_hash(chunk): made[chunk.id] for chunk in missing})
        return known | made

    async def trim(self) -> None:
        """Forget the oldest of what nobody needs any more."""
        await self._cache.trim()

    def batches(self, chunks: Sequence[Chunk]) -> Iterator[Sequence[Chunk]]:
        """*chunks* in pieces that take about a second each, as far as is known by then."""
        start = 0
        while start < len(chunks):
            size = self._batch
            yield chunks[start : start + size]
            start += size

    async def _probe(self, chunks: Sequence[Chunk]) -> None:
        """Find out how quick the embedder is; one that does not answer is slow, not a reason to fail."""
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                # The first call may load the model, so that only the second one tells.
                await self._embedded(chunks[:1])
                await self._embedded(chunks)
        except (TimeoutError, ServiceError):
            self._seconds_per_chunk = PROBE_SECONDS

    @property
    def _is_fast(self) -> bool:
        return self._seconds_per_chunk is not None and self._seconds_per_chunk < FAST_SECONDS

    async def _known(self, chunks: Sequence[Chunk]) -> dict[str, Vector]:
        hashes = {chunk.id: embedded_hash(chunk) for chunk in chunks}
        vectors = await self._cache.get(self.model, set(hashes.values()))
        return {chunk_id: vectors[digest] for chunk_id, digest in hashes.items() if digest in vectors}

    async def _embedded(self, chunks: Sequence[Chunk]) -> dict[str, Vector]:
        if not chunks:
            return {}
        started = perf_counter()
        vectors = await self._embedder.embed_chunks([embedded_text(chunk) for chunk in chunks])
        self._learn((perf_counter() - started) / len(chunks))
        return {chunk.id: vector for chunk, vector in zip(chunks, vectors, strict=True)}

    def _learn(self, seconds_per_chunk: float) -> None:
        self._seconds_per_chunk = seconds_per_chunk
        wanted = int(BATCH_SECONDS / max(seconds_per_chunk, 1e-6))
        self._batch = min(LARGEST_BATCH, max(SMALLEST_BATCH, wanted))

"""Ingests a folder with Footnote and prints what it took, as one line of JSON."""

import asyncio
import json
import resource
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from core.ingestion.pipeline import Ingestion
from core.ingestion.request import IngestRequest
from core.ports import Embedder, Vector
from core.retrieval.embedders import OnnxEmbedder, StaticEmbedder
from core.retrieval.index import open_index
from core.settings import Settings
from core.store.embedding_cache import EmbeddingCache
from core.store.jobs import Jobs
from core.store.library import Library
from core.store.opening import open_store


class Timed:
    """An embedder that keeps how long it was asked for."""

    def __init__(self, embedder: OnnxEmbedder | StaticEmbedder) -> None:
        self._embedder = embedder
        self.seconds = 0.0

    @property
    def model(self) -> str:
        return self._embedder.model

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    async def embed_chunks(self, texts: Sequence[str]) -> list[Vector]:
        started = perf_counter()
        vectors = await self._embedder.embed_chunks(texts)
        self.seconds += perf_counter() - started
        return vectors

    async def embed_query(self, text: str) -> Vector:
        return await self._embedder.embed_query(text)

    async def close(self) -> None:
        await self._embedder.close()


async def ingest(corpus: Path, kind: str) -> dict[str, object]:
    embedder = Timed(StaticEmbedder() if kind == "static" else OnnxEmbedder())
    await embedder.embed_query("warm")
    with TemporaryDirectory() as folder:
        seconds, again, chunks = await _ingested(corpus, Path(folder), embedder)
    await embedder.close()
    return {
        "name": "Footnote",
        "chunks": chunks,
        "seconds": round(seconds, 2),
        "embedder_seconds": round(embedder.seconds, 2),
        "unchanged_seconds": round(again, 2),
        "cpu_seconds": round(cpu_seconds(), 2),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def cpu_seconds() -> float:
    """Of this process and those it started."""
    used = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


async def _ingested(corpus: Path, folder: Path, embedder: Embedder) -> tuple[float, float, int]:
    settings = Settings(data_dir=folder)
    async with (
        open_store(folder) as database,
        open_index(settings, model=embedder.model, dimension=embedder.dimension) as index,
    ):
        ingestion = Ingestion(
            library=Library(database),
            jobs=Jobs(database),
            index=index,
            embedder=embedder,
            cache=EmbeddingCache(database),
            scratch=folder / "scratch",
        )
        started = perf_counter()
        job = await ingestion.ingest(IngestRequest(str(corpus), "bench"))
        between = perf_counter()
        await ingestion.ingest(IngestRequest(str(corpus), "bench"))
        return between - started, perf_counter() - between, job.chunks_created


if __name__ == "__main__":
    result = asyncio.run(ingest(Path(sys.argv[1]), sys.argv[2]))
    sys.stdout.write(f"{json.dumps(result)}\n")

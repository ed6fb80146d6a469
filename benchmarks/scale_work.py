"""One ingestion of every book on a shelf with the static embedder, and what became of it."""

import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path

from benchmarks.memory import Peak, watched_memory
from core.ingestion.pipeline import Ingestion
from core.ingestion.request import IngestRequest
from core.model import Filters
from core.retrieval.embedders import StaticEmbedder
from core.retrieval.index import open_index
from core.settings import Settings
from core.store.embedding_cache import EmbeddingCache
from core.store.job import Job
from core.store.jobs import Jobs
from core.store.library import Library
from core.store.opening import open_store


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an ingestion left in the library and the index."""

    files_read: int
    files_skipped: int
    files_failed: int
    seconds: float
    chunks: int
    entries: int
    pending: int
    fingerprint: str
    """The same for the same chunks."""
    peak_mb: int

    @property
    def is_whole(self) -> bool:
        return self.chunks == self.entries and self.pending == 0

    def told(self, wall_seconds: float) -> str:
        files = f"{self.files_read} files read, {self.files_skipped} skipped, {self.files_failed} failed"
        kept = f"{self.chunks} chunks, {self.entries} entries, {self.pending} pending"
        took = f"{self.seconds:.1f} s at work, {wall_seconds:.1f} s with start and end"
        return f"{took}; {files}; {kept}; peak {self.peak_mb} MB"


async def ingest(books: Sequence[Path], data: Path, peak: Peak) -> Outcome:
    """Take the books in, one folder each, going on where an earlier process was killed."""
    embedder = StaticEmbedder()
    await embedder.load()
    settings = Settings(data_dir=data)
    async with (
        open_store(data) as database,
        open_index(settings, model=embedder.model, dimension=embedder.dimension) as index,
    ):
        library, jobs = Library(database), Jobs(database)
        ingestion = Ingestion(
            library=library,
            jobs=jobs,
            index=index,
            embedder=embedder,
            cache=EmbeddingCache(database),
            scratch=data / "scratch",
        )
        await jobs.requeue_interrupted()
        done = [
            await ingestion.ingest(
                IngestRequest(str(book), book.name), on_progress=partial(tell, number, len(books))
            )
            for number, book in enumerate(books)
        ]
        peak_mb = round(peak.mb)
        kept = await library.books(group=None)
        ids = [chunk.id for book in kept async for batch in library.all_chunks(book.id) for chunk in batch]
        outcome = Outcome(
            files_read=sum(job.files_processed for job in done),
            files_skipped=sum(job.files_skipped for job in done),
            files_failed=sum(job.files_failed for job in done),
            seconds=sum(job.duration_seconds or 0.0 for job in done),
            chunks=len(ids),
            entries=await index.count(Filters()),
            pending=sum(book.pending_count for book in kept),
            fingerprint=sha256("".join(sorted(ids)).encode()).hexdigest(),
            peak_mb=peak_mb,
        )
    await embedder.close()
    return outcome


def tell(number: int, books: int, job: Job) -> None:
    """Say how far the shelf has come, for the one who kills us."""
    share = job.files_done / job.files_total if job.files_total else 0.0
    sys.stdout.write(f"{(number + share) / books:.4f}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    with watched_memory() as peak:
        outcome = asyncio.run(ingest(sorted(Path(sys.argv[1]).iterdir()), Path(sys.argv[2]), peak))
    sys.stdout.write(f"{json.dumps(asdict(outcome))}\n")

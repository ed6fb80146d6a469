"""One ingestion of a large folder with the static embedder, and what became of it."""

import asyncio
import json
import resource
import sys
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

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

BOOK = "scale"


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


async def ingest(corpus: Path, data: Path) -> Outcome:
    """Take *corpus* in, going on where an earlier process was killed."""
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
        job = await ingestion.ingest(IngestRequest(str(corpus), BOOK), on_progress=tell)
        book = await library.book(BOOK, group=None)
        ids = [chunk.id async for batch in library.all_chunks(BOOK) for chunk in batch]
        outcome = Outcome(
            files_read=job.files_processed,
            files_skipped=job.files_skipped,
            files_failed=job.files_failed,
            seconds=job.duration_seconds or 0.0,
            chunks=len(ids),
            entries=await index.count(Filters(books=(BOOK,))),
            pending=book.pending_count,
            fingerprint=sha256("".join(ids).encode()).hexdigest(),
            peak_mb=_peak_mb(),
        )
    await embedder.close()
    return outcome


def tell(job: Job) -> None:
    """Say how far the job has come, for the one who kills us."""
    share = job.files_done / job.files_total if job.files_total else 0.0
    sys.stdout.write(f"{share:.4f}\n")
    sys.stdout.flush()


def _peak_mb() -> int:
    """Of this process and the largest one it started, in megabytes."""
    used = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(each.ru_maxrss for each in used) // 1024


if __name__ == "__main__":
    outcome = asyncio.run(ingest(Path(sys.argv[1]), Path(sys.argv[2])))
    sys.stdout.write(f"{json.dumps(asdict(outcome))}\n")

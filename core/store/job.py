"""One ingestion as it is kept: what was asked, how far it has come, what went wrong."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class JobStatus(StrEnum):
    """Where an ingestion stands."""

    QUEUED = "queued"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_over(self) -> bool:
        return self not in {JobStatus.QUEUED, JobStatus.RUNNING}


@dataclass(frozen=True, slots=True)
class JobError:
    """A file that could not be taken in, and why, in words a leader can act on."""

    source_file: str
    message: str


@dataclass(frozen=True, slots=True)
class Job:
    """One ingestion of one book. It survives a restart."""

    id: int
    book: str
    mode: str
    source: str
    status: JobStatus
    group: str | None = None
    """Who will own the book; None is the operator, whose books every group may read."""
    requested_by: str | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    """Whatever else was asked for: a title, a base address."""
    files_total: int = 0
    files_processed: int = 0
    files_skipped: int = 0
    files_failed: int = 0
    chunks_created: int = 0
    chunks_deleted: int = 0
    chunks_to_embed: int = 0
    """Chunks that are found by words already while their embeddings are being made; 0 before that step."""
    chunks_embedded: int = 0
    chunks_per_second: float = 0.0
    seconds_left: float | None = None
    """An estimate for the step it is at; None while nothing can be said."""
    current_file: str | None = None
    is_cancel_requested: bool = False
    created_at: str = ""
    started_at: str | None = None
    completed_at: str | None = None
    duration_seconds: float | None = None
    error_message: str | None = None
    errors: tuple[JobError, ...] = ()

    @property
    def files_done(self) -> int:
        return self.files_processed + self.files_skipped + self.files_failed

    @property
    def is_embedding(self) -> bool:
        """Whether the whole book is found by words by now, and meaning follows."""
        return self.status is JobStatus.RUNNING and self.chunks_to_embed > 0

    def to_dict(self) -> dict[str, object]:
        """The contract's IngestionJob, ready for JSON."""
        return {
            "job_id": self.id,
            "book_id": self.book,
            "mode": self.mode,
            "source": self.source,
            "status": str(self.status),
            "files_total": self.files_total,
            "files_processed": self.files_processed,
            "files_skipped": self.files_skipped,
            "files_failed": self.files_failed,
            "chunks_created": self.chunks_created,
            "chunks_deleted": self.chunks_deleted,
            "chunks_to_embed": self.chunks_to_embed,
            "chunks_embedded": self.chunks_embedded,
            "chunks_per_second": round(self.chunks_per_second, 1),
            "seconds_left": None if self.seconds_left is None else round(self.seconds_left),
            "current_file": self.current_file,
            "created_at": self.created_at,
            "started_at": self.started_at,
            "completed_at": self.completed_at,
            "duration_seconds": self.duration_seconds,
            "error_message": self.error_message,
            "errors": [{"source_file": each.source_file, "message": each.message} for each in self.errors],
        }

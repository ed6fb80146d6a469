"""Counts what a running job does, and tells it to whoever follows."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import monotonic

from core.store.job import Job
from core.store.jobs import Jobs

TOLD_EVERY_SECONDS = 0.2
STORED_EVERY_SECONDS = 1.0

OnProgress = Callable[[Job], None]


class Cancelled(Exception):
    """Someone asked for the job to stop."""


class Tally:
    """The numbers of one running job: told often, stored now and then.

    Every method raises Cancelled once someone has asked for the job to stop.
    """

    def __init__(self, job: Job, *, jobs: Jobs, on_progress: OnProgress | None) -> None:
        # An interrupted job counts anew: what it had done before shows as skipped.
        self.job = replace(
            job, files_processed=0, files_skipped=0, files_failed=0, chunks_created=0, chunks_deleted=0
        )
        self._jobs = jobs
        self._on_progress = on_progress
        self._began = self._told = self._stored = monotonic()

    async def start_reading(self, *, files: int, skipped: int) -> None:
        self.job = replace(self.job, files_total=files, files_skipped=skipped)
        await self._tell(is_due=True)

    async def read(self, files: Sequence[str], *, created: int, deleted: int) -> None:
        """Files were replaced."""
        job = self.job
        self.job = replace(
            job,
            files_processed=job.files_processed + len(files),
            chunks_created=job.chunks_created + created,
            chunks_deleted=job.chunks_deleted + deleted,
            current_file=files[-1],
        )
        await self._tell()

    async def failed(self, file: str, reason: str) -> None:
        """A file could not be read."""
        await self.left_out(file, reason)
        self.job = replace(self.job, files_failed=self.job.files_failed + 1, current_file=file)
        await self._tell()

    async def left_out(self, what: str, reason: str) -> None:
        """Something beside the book's files was not taken in."""
        await self._jobs.add_error(self.job.id, what, reason)

    async def deleted(self, chunks: int) -> None:
        self.job = replace(self.job, chunks_deleted=self.job.chunks_deleted + chunks)
        await self._tell()

    async def created(self, chunks: int) -> None:
        self.job = replace(self.job, chunks_created=self.job.chunks_created + chunks)
        await self._tell()

    async def start_embedding(self, chunks: int) -> None:
        self._began = monotonic()
        self.job = replace(self.job, chunks_to_embed=chunks, current_file=None)
        await self._tell(is_due=True)

    async def embedded(self, chunks: int) -> None:
        self.job = replace(self.job, chunks_embedded=self.job.chunks_embedded + chunks)
        await self._tell()

    async def _tell(self, *, is_due: bool = False) -> None:
        now = monotonic()
        self.job = with_pace(self.job, seconds=now - self._began)
        if self._on_progress is not None and (is_due or now - self._told >= TOLD_EVERY_SECONDS):
            self._told = now
            self._on_progress(self.job)
        if is_due or now - self._stored >= STORED_EVERY_SECONDS:
            self._stored = now
            if await self._jobs.progress(self.job):
                raise Cancelled


def with_pace(job: Job, *, seconds: float) -> Job:
    """The job with its rate and the time left for the step that it has been at for *seconds*."""
    if job.chunks_to_embed:
        chunks = done = job.chunks_embedded
        left = job.chunks_to_embed - done
    else:
        chunks, done = job.chunks_created, job.files_processed + job.files_failed
        left = job.files_total - job.files_done
    rate = chunks / seconds if seconds > 0 else 0.0
    return replace(job, chunks_per_second=rate, seconds_left=left * seconds / done if done else None)

"""Ingestion jobs: queued, claimed by one worker, followed while they run, kept afterwards."""

import json
from collections.abc import Mapping

from core.errors import LibraryError
from core.model import LOCAL_GROUP
from core.model.answer import utc_now
from core.store.database import Database, Row, Transaction
from core.store.job import Job, JobError, JobStatus
from core.store.moments import seconds_between

__all__ = ["Job", "JobError", "JobStatus", "Jobs"]

# The method `list` takes the name of the type inside the class.
Listed = list[Job]

INSERT_JOB = (
    "INSERT INTO jobs (book, mode, source, status, options, group_key, requested_by, created_at) "
    "VALUES (?, ?, ?, 'queued', ?, ?, ?, ?) RETURNING id"
)
CANCEL_QUEUED = "UPDATE jobs SET status = 'cancelled', completed_at = ? WHERE id = ? AND status = 'queued'"
CANCEL_RUNNING = "UPDATE jobs SET cancel_requested = 1 WHERE id = ? AND status = 'running'"

_MINE = f"(?1 IS NULL OR coalesce(group_key, '{LOCAL_GROUP}') = ?1)"
"""Whose jobs a group sees: its own. Those for everybody are this machine's."""


class Jobs:
    """Every ingestion there was. A job goes queued → running → completed, failed or cancelled, and never back."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(
        self,
        *,
        book: str,
        source: str,
        mode: str = "incremental",
        group: str | None = None,
        requested_by: str | None = None,
        options: Mapping[str, object] | None = None,
    ) -> Job:
        """A new job at the end of the queue."""
        row = await self._database.write_one(
            INSERT_JOB, (book, mode, source, json.dumps(dict(options or {})), group, requested_by, utc_now())
        )
        assert row is not None
        return await self.get(row["id"])

    async def claim(self, job_id: int | None = None) -> Job | None:
        """Start the oldest queued job (or *job_id*) whose book no other job works on; None if there is none."""
        row = await self._database.write_one(
            "UPDATE jobs SET status = 'running', started_at = ? WHERE id = (SELECT id FROM jobs AS queued "
            "WHERE status = 'queued' AND (? IS NULL OR id = ?) AND NOT EXISTS "
            "(SELECT 1 FROM jobs AS busy WHERE busy.book = queued.book AND busy.status = 'running') "
            "ORDER BY id LIMIT 1) RETURNING id",
            (utc_now(), job_id, job_id),
        )
        return await self.get(row["id"]) if row else None

    async def progress(self, job: Job) -> bool:
        """Store how far a running *job* has come. True tells the worker to stop: someone cancelled it."""

        async def save(transaction: Transaction) -> bool:
            await _save_counts(transaction, job)
            row = await transaction.fetch_one("SELECT cancel_requested FROM jobs WHERE id = ?", (job.id,))
            return bool(row and row["cancel_requested"])

        return await self._database.write_whole(save)

    async def add_error(self, job_id: int, source_file: str, message: str) -> None:
        """Name a file that could not be taken in, and why."""
        await self._database.write_one(
            "INSERT INTO job_errors (job_id, source_file, message, created_at) VALUES (?, ?, ?, ?) "
            "ON CONFLICT DO UPDATE SET message = excluded.message",
            (job_id, source_file, message, utc_now()),
        )

    async def finish(self, job: Job) -> Job:
        """The job is done; its last counts are stored with it."""
        return await self._end(job, JobStatus.COMPLETED)

    async def fail(self, job: Job, message: str) -> Job:
        """The job could not go on; *message* says why in words a leader can act on."""
        return await self._end(job, JobStatus.FAILED, message)

    async def stopped(self, job: Job) -> Job:
        """The worker has stopped a job that was cancelled."""
        return await self._end(job, JobStatus.CANCELLED)

    async def cancel(self, job_id: int, *, group: str | None = None) -> Job:
        """Take a queued job out of the queue, or ask the worker of a running one to stop."""
        await self.get(job_id, group=group)
        async with self._database.write() as transaction:
            await transaction.execute(CANCEL_QUEUED, (utc_now(), job_id))
            await transaction.execute(CANCEL_RUNNING, (job_id,))
        return await self.get(job_id, group=group)

    async def requeue_interrupted(self) -> int:
        """Queue again what a process that died was working on. Call it at start, holding the data folder."""
        async with self._database.write() as transaction:
            rows = await transaction.fetch_all(
                "UPDATE jobs SET status = CASE cancel_requested WHEN 1 THEN 'cancelled' ELSE 'queued' END, "
                "completed_at = CASE cancel_requested WHEN 1 THEN ? END, started_at = NULL "
                "WHERE status = 'running' RETURNING id",
                (utc_now(),),
            )
        return len(rows)

    async def get(self, job_id: int, *, group: str | None = None) -> Job:
        """One job with its errors.

        Raises:
            LibraryError: there is none, or it is another group's.
        """
        row = await self._database.fetch_one(
            f"SELECT * FROM jobs WHERE id = ?2 AND {_MINE}",  # noqa: S608 - no value is part of the text
            (group, job_id),
        )
        if row is None:
            raise LibraryError(f"There is no job {job_id} here.", details={"job_id": job_id})
        errors = await self._database.fetch_all(
            "SELECT source_file, message FROM job_errors WHERE job_id = ? ORDER BY created_at, source_file",
            (job_id,),
        )
        return _to_job(row, tuple(JobError(each["source_file"], each["message"]) for each in errors))

    async def list(self, *, group: str | None = None, book: str | None = None, limit: int = 20) -> Listed:
        """The latest jobs, newest first, without their errors. *group* None is the operator at this machine."""
        rows = await self._database.fetch_all(
            f"SELECT * FROM jobs WHERE {_MINE} AND (?2 IS NULL OR book = ?2) "  # noqa: S608 - the same
            "ORDER BY id DESC LIMIT ?3",
            (group, book, limit),
        )
        return [_to_job(row) for row in rows]

    async def _end(self, job: Job, status: JobStatus, message: str | None = None) -> Job:
        now = utc_now()
        seconds = round(seconds_between(job.started_at or now, now), 3)

        async def end(transaction: Transaction) -> None:
            await _save_counts(transaction, job)
            await transaction.execute(
                "UPDATE jobs SET status = ?, completed_at = ?, duration_seconds = ?, error_message = ?, "
                "current_file = NULL, seconds_left = NULL WHERE id = ? AND status = 'running'",
                (str(status), now, seconds, message, job.id),
            )

        await self._database.write_whole(end)
        return await self.get(job.id)


async def _save_counts(transaction: Transaction, job: Job) -> None:
    await transaction.execute(
        "UPDATE jobs SET files_total = ?, files_processed = ?, files_skipped = ?, files_failed = ?, "
        "chunks_created = ?, chunks_deleted = ?, chunks_to_embed = ?, chunks_embedded = ?, chunks_per_second = ?, "
        "seconds_left = ?, current_file = ? WHERE id = ? AND status = 'running'",
        (
            job.files_total,
            job.files_processed,
            job.files_skipped,
            job.files_failed,
            job.chunks_created,
            job.chunks_deleted,
            job.chunks_to_embed,
            job.chunks_embedded,
            job.chunks_per_second,
            job.seconds_left,
            job.current_file,
            job.id,
        ),
    )


def _to_job(row: Row, errors: tuple[JobError, ...] = ()) -> Job:
    return Job(
        id=row["id"],
        book=row["book"],
        mode=row["mode"],
        source=row["source"],
        status=JobStatus(row["status"]),
        group=row["group_key"],
        requested_by=row["requested_by"],
        options=json.loads(row["options"]),
        files_total=row["files_total"],
        files_processed=row["files_processed"],
        files_skipped=row["files_skipped"],
        files_failed=row["files_failed"],
        chunks_created=row["chunks_created"],
        chunks_deleted=row["chunks_deleted"],
        chunks_to_embed=row["chunks_to_embed"],
        chunks_embedded=row["chunks_embedded"],
        chunks_per_second=row["chunks_per_second"],
        seconds_left=row["seconds_left"],
        current_file=row["current_file"],
        is_cancel_requested=bool(row["cancel_requested"]),
        created_at=row["created_at"],
        started_at=row["started_at"],
        completed_at=row["completed_at"],
        duration_seconds=row["duration_seconds"],
        error_message=row["error_message"],
        errors=errors,
    )

"""Ingestion jobs: how far they have come, and breaking one off."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from bot.adapters.web.parts import PartsOf
from bot.adapters.web.problems import DOOR, NOT_FOUND, PROBLEMS, not_found
from bot.adapters.web.schemas.library import JobForm
from core.errors import LibraryError
from core.model import LOCAL_GROUP
from core.store.job import Job

router = APIRouter(prefix="/api/jobs", tags=["library"], responses={**DOOR, **NOT_FOUND, **PROBLEMS})

JobId = Annotated[int, Path(ge=1, le=2**63 - 1)]


@router.get("")
async def list_jobs(
    parts: PartsOf, book: str | None = None, limit: Annotated[int, Query(ge=1, le=100)] = 20
) -> list[JobForm]:
    """The latest jobs, newest first; the errors of single files come with each job alone."""
    return [JobForm.of(job) for job in await parts.jobs.list(group=LOCAL_GROUP, book=book, limit=limit)]


@router.get("/{job_id}")
async def read_job(job_id: JobId, parts: PartsOf) -> JobForm:
    """One job with every file that failed, and why."""
    return JobForm.of(await _job(parts, job_id))


@router.post("/{job_id}/cancel")
async def cancel_job(job_id: JobId, parts: PartsOf) -> JobForm:
    """Stop a job; files already taken in stay."""
    await _job(parts, job_id)
    return JobForm.of(await parts.jobs.cancel(job_id, group=LOCAL_GROUP))


async def _job(parts: PartsOf, job_id: int) -> Job:
    try:
        return await parts.jobs.get(job_id, group=LOCAL_GROUP)
    except LibraryError as error:
        raise not_found(error.message) from error

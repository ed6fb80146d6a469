"""Works through the queue of ingestion jobs while the bot runs."""

import asyncio
import logging
from collections.abc import Callable

from core.ingestion.pipeline import Ingestion
from core.store.job import Job
from core.store.jobs import Jobs

LOOK_AGAIN_SECONDS = 1.0
"""A command in another process may queue a job, and cannot tell us."""

log = logging.getLogger(__name__)


class Runner:
    """One job after another: two at once would only share the same processor. *on_done* is told of each."""

    def __init__(self, *, jobs: Jobs, ingestion: Ingestion, on_done: Callable[[Job], None] | None = None) -> None:
        self._jobs = jobs
        self._ingestion = ingestion
        self._on_done = on_done

    async def run(self) -> None:
        """Take up what an earlier process left behind, then whatever is queued, until cancelled."""
        if waiting := await self._ingestion.recover():
            log.info("%d ingestion jobs are waiting", waiting)
        while True:
            if not await self._run_next():
                await asyncio.sleep(LOOK_AGAIN_SECONDS)

    async def _run_next(self) -> bool:
        job = await self._jobs.claim()
        if job is None:
            return False
        log.info("job %d: %s of %s begins", job.id, job.mode, job.book)
        done = await self._ingestion.run(job)
        log.info("job %d: %s after %s s", job.id, done.status, done.duration_seconds)
        if self._on_done is not None:
            self._on_done(done)
        return True

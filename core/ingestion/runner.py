"""Works through the queue of ingestion jobs while the bot runs."""

import asyncio
import logging

from core.ingestion.pipeline import Ingestion
from core.store.jobs import Jobs

LOOK_AGAIN_SECONDS = 1.0
"""A command in another process may queue a job, and cannot tell us."""

log = logging.getLogger(__name__)


class Runner:
    """One job after another: two at once would only share the same processor."""

    def __init__(self, *, jobs: Jobs, ingestion: Ingestion) -> None:
        self._jobs = jobs
        self._ingestion = ingestion

    async def run(self) -> None:
        """Take up what an earlier process left behind, then whatever is queued, until cancelled."""
        interrupted = await self._jobs.requeue_interrupted()
        if interrupted:
            log.info("taking up %d interrupted ingestion jobs", interrupted)
        await self._ingestion.clear_leftovers()
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
        return True

"""Tells open pages how far ingestions have come."""

from bot.adapters.web.hub import Happening, Hub
from bot.adapters.web.schemas.library import JobForm
from core.model import LOCAL_GROUP
from core.store.job import Job
from core.store.jobs import Jobs
from core.ticker import Ticker

LOOK_EVERY_SECONDS = 0.5
"""Ingestion may run in another process, which cannot call us; a look at a few rows costs next to nothing."""


class JobWatch:
    """Looks at the jobs while somebody listens, and tells what changed."""

    def __init__(self, *, jobs: Jobs, hub: Hub) -> None:
        self._jobs = jobs
        self._hub = hub
        self._told: dict[int, Job] = {}

    async def run(self) -> None:
        """Watch until cancelled."""
        await Ticker(self.look, name="looking at the jobs").run(every_seconds=LOOK_EVERY_SECONDS)

    async def look(self) -> None:
        """Tell every job that is not as it was told last, if anybody listens."""
        if not self._hub.listeners:
            return
        for job in await self._jobs.list(group=LOCAL_GROUP, limit=10):
            if self._told.get(job.id) == job:
                continue
            is_first_look_at_old = job.id not in self._told and job.status.is_over
            self._told[job.id] = job
            if not is_first_look_at_old:
                whole = JobForm.of(await self._jobs.get(job.id))
                self._hub.tell(Happening("job", f"job:{job.id}", {"job": whole.model_dump(mode="json")}))

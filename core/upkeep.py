"""What has to be done now and then: idle sessions are archived, and what is too old is deleted."""

import asyncio
import logging
import time

from core.errors import ServiceError
from core.store.moments import seconds_ago
from core.store.places import Places
from core.wiring import Core

ROUND_SECONDS = 60.0
IDLE_SECONDS = 3600
SECONDS_A_DAY = 86_400

log = logging.getLogger(__name__)


class Upkeep:
    """Goes round every minute. A round that fails is told and tried again."""

    def __init__(self, core: Core, *, every_seconds: float = ROUND_SECONDS) -> None:
        self._core = core
        self._every_seconds = every_seconds

    async def run(self) -> None:
        """Keep house until cancelled."""
        while True:
            try:
                await self.go_round()
            except ServiceError:
                log.exception("upkeep failed and is tried again")
            await asyncio.sleep(self._every_seconds)

    async def go_round(self) -> None:
        """Archive what is idle for an hour, and delete what is older than the operator wants to keep."""
        # A reply on its way, or a reader, may have kept forgotten words in the file.
        await self._core.database.scrub_if_owed()
        archived = await self._core.sessions.archive_idle(IDLE_SECONDS)
        if archived:
            log.info("archived %d idle sessions", archived)
        if self._core.settings.keep_days:
            await self._delete_older_than(self._core.settings.keep_days * SECONDS_A_DAY)

    async def _delete_older_than(self, seconds: float) -> None:
        core = self._core
        turns = await Places(core.database).delete_before(time.time() - seconds)
        sessions = await core.sessions.delete_before(seconds_ago(seconds))
        if turns and not sessions:
            # Deleting sessions rewrites the file already.
            await core.database.scrub()
        if turns or sessions:
            log.info("deleted %d turns and %d sessions that were too old to keep", turns, sessions)

"""What has to be done now and then: idle sessions are archived, and what is too old is deleted."""

import logging
import time
from collections.abc import Awaitable, Callable, Sequence

from core.store.moments import to_moment
from core.store.places import Places
from core.ticker import Ticker
from core.wiring import Core

ROUND_SECONDS = 60.0
IDLE_SECONDS = 3600
DELETE_EVERY_SECONDS = 3600.0
"""The file is rewritten after deleting, and nothing else can be written meanwhile."""
JUMP_SECONDS = 600.0
"""A clock that goes so much further than time does was set, or the machine slept."""
SECONDS_A_DAY = 86_400

Clock = Callable[[], float]
DeleteBefore = Callable[[str], Awaitable[int]]

log = logging.getLogger(__name__)


class Upkeep:
    """Goes round every minute. A round that fails is told and tried again.

    *beside* deletes what others keep in the same file, older than a moment; it says how much. *clock* gives
    seconds since 1970, *timer* seconds that no one can set.
    """

    def __init__(
        self,
        core: Core,
        *,
        beside: Sequence[DeleteBefore] = (),
        every_seconds: float = ROUND_SECONDS,
        clock: Clock = time.time,
        timer: Clock = time.monotonic,
    ) -> None:
        self._core = core
        self._beside = beside
        self._every_seconds = every_seconds
        self._clock = clock
        self._timer = timer
        self._ahead = clock() - timer()
        """By how much the clock is ahead of the timer, as of the last round."""
        self._delete_at = timer()

    async def run(self) -> None:
        """Keep house until cancelled."""
        await Ticker(self.go_round, name="upkeep").run(every_seconds=self._every_seconds)

    async def go_round(self) -> None:
        """Archive what is idle for an hour; once an hour, delete what is older than the operator wants to keep."""
        is_due = self._is_time_to_delete()
        # A reply on its way, or a reader, may have kept forgotten words in the file.
        await self._core.database.scrub_if_owed()
        archived = await self._core.sessions.archive_idle(IDLE_SECONDS)
        if archived:
            log.info("archived %d idle sessions", archived)
        if is_due:
            await self._delete_older_than(self._core.settings.keep_days * SECONDS_A_DAY)

    def _is_time_to_delete(self) -> bool:
        if not self._core.settings.keep_days:
            return False
        now = self._timer()
        ahead, before = self._clock() - now, self._ahead
        self._ahead = ahead
        has_jumped = ahead - before > JUMP_SECONDS
        if has_jumped:
            log.warning(
                "the clock jumped by %.0f s: nothing is deleted for an hour, in case it is wrong", ahead - before
            )
        elif now < self._delete_at:
            return False
        self._delete_at = now + DELETE_EVERY_SECONDS
        return not has_jumped

    async def _delete_older_than(self, seconds: float) -> None:
        core, moment = self._core, self._clock() - seconds
        turns = await Places(core.database).delete_before(moment)
        sessions = await core.sessions.delete_before(to_moment(moment))
        for delete_before in self._beside:
            await delete_before(to_moment(moment))
        if turns or sessions:
            log.info("deleted %d turns and %d sessions that were too old to keep", turns, sessions)
        await core.database.scrub_if_owed()

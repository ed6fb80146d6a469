"""What was asked while we were away: none of it is lost, though Slack gives up after a few attempts."""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from bot.adapters.slack.hearing import Hearing
from bot.adapters.slack.listening import Listening
from bot.adapters.slack.missed import Missed
from bot.adapters.slack.place import PLATFORM, event_id, group_of
from bot.adapters.slack.words import Event
from bot.adapters.slack.workspaces import Workspace
from bot.desk import Desk
from bot.heard import Heard
from bot.spoken import Wish
from core.ticker import Ticker

log = logging.getLogger(__name__)

HEARD_ALL = f"{PLATFORM}:all"
"""The mark up to which nothing was missed; when we merely listened is noted besides."""
RETRIES_SECONDS = 330.0
"""Slack delivers again at once, after one minute and after five; then it gives up."""


@dataclass(frozen=True, slots=True)
class Patience:
    """When it is worth looking."""

    short_seconds: float = 30.0
    """An absence as short as this is left to Slack, which delivers again after a minute."""
    calm_seconds: float = 10.0
    """We look after so long without another absence: a bot that falls over and over reads nothing."""
    settled_seconds: float = RETRIES_SECONDS
    """A short absence counts as over after so long: until then its deliveries may meet the next one."""
    again_seconds: float = 60.0


class CatchingUp:
    """Knows up to when we heard everything, and looks for the rest."""

    def __init__(
        self,
        *,
        desk: Desk,
        missed: Missed,
        hearing: Hearing,
        listening: Listening,
        hours: float,
        patience: Patience = Patience(),
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._desk = desk
        self._missed = missed
        self._hearing = hearing
        self._listening = listening
        self._hours = hours
        self._patience = patience
        self._clock = clock
        self._noting = Ticker(self._note, name="noting that Slack is heard")
        self._doubtful_since: float | None = None
        """What came from then on may be missed, and is not looked for yet."""
        self._looking: asyncio.Task[None] | None = None

    async def arrived(self, silent_seconds: float = 0.0) -> None:
        """We hear Slack from now on; before, it may have spoken to a deaf ear for *silent_seconds*."""
        self._doubt(self._clock() - silent_seconds)
        await self.present()

    async def present(self) -> None:
        """We still hear Slack; if nothing is left to look for, that is where the next absence begins.

        Where that cannot be stored, a question cannot be either, so what comes meanwhile is looked for afterwards.
        """
        now = self._clock()
        if not await self._noting.tick():
            self._doubt(now)

    def _doubt(self, moment: float) -> None:
        self._doubtful_since = min(moment, self._doubtful_since or moment)

    async def _note(self) -> None:
        if self._doubtful_since is not None:
            await self._look_from(self._doubtful_since)
            self._doubtful_since = None
            return
        await self._desk.places.listened(PLATFORM)
        if self._looking is None or self._looking.done():
            await self._desk.places.listened(HEARD_ALL)

    async def _look_from(self, moment: float) -> None:
        now, places = self._clock(), self._desk.places
        mark = await places.last_listened(HEARD_ALL) or await places.last_listened(PLATFORM)
        await places.listened(PLATFORM)
        if mark is None or not self._hours:
            await places.listened(HEARD_ALL)
            return
        if mark > now:
            # It was noted by a clock that was wrong, and tells nothing: we look as far back as we may.
            mark = now - self._hours * 3600
        await self.close()
        self._looking = asyncio.create_task(self._catch_up(min(mark, moment), now))

    async def close(self) -> None:
        """Look no further; the next start goes on from the same mark."""
        if self._looking is not None:
            self._looking.cancel()
            with suppress(asyncio.CancelledError):
                await self._looking

    async def _catch_up(self, mark: float, now: float) -> None:
        if now - mark < self._patience.short_seconds:
            await asyncio.sleep(self._patience.settled_seconds)
            return
        await asyncio.sleep(self._patience.calm_seconds)
        # Something missed shortly before the mark was to be delivered again after it, when we were away.
        since = max(mark - RETRIES_SECONDS, now - self._hours * 3600)
        while True:
            if await self._has_looked(since):
                return
            await asyncio.sleep(self._patience.again_seconds)

    async def _has_looked(self, since: float) -> bool:
        """Have everything said after *since* answered; False if it has to be tried again."""
        count = 0
        try:
            async for event, workspace, team in self._missed.since(since):
                count += await self._is_taken(event, workspace, team)
        except Exception:
            log.warning("what was asked while we were away could not be looked for; again soon", exc_info=True)
            return False
        log.info("found %d questions that came while we were away", count)
        return True

    async def _is_taken(self, event: Event, workspace: Workspace, team: str) -> bool:
        """Have one message answered; False if it is known, or not for us."""
        asked = event_id(team, str(event["channel"]), str(event["ts"]))
        try:
            if await self._desk.answered.turn(asked, group=group_of(team)) is not None:
                return False
            heard = await self._hearing.hear(event, workspace, team, is_late=True)
            if heard is None or _is_too_late(heard):
                return False
            await self._listening.take(heard)
        except Exception:
            # One message that we stumble over must not cost the others their answer.
            log.exception("message %s could not be taken", asked)
            return False
        return True


def _is_too_late(heard: Heard) -> bool:
    """What was to be stopped has stopped by itself."""
    return heard.spoken is not None and heard.spoken.wish is Wish.STOP

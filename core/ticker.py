"""Work that is done again and again while the process lives, whatever becomes of one time."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from core.errors import ServiceError

log = logging.getLogger(__name__)


class Ticker:
    """Does *work*, again and again. A time that fails is told and the next one comes all the same.

    What goes on failing is told once, and again when it works: a disk may be full for days.
    """

    def __init__(self, work: Callable[[], Awaitable[None]], *, name: str) -> None:
        self._work = work
        self._name = name
        self._is_failing = False

    async def run(self, *, every_seconds: float) -> None:
        """Go on until cancelled, with a rest of *every_seconds* between two times."""
        while True:
            await self.tick()
            await asyncio.sleep(every_seconds)

    async def tick(self) -> bool:
        """Do it once; False if it failed."""
        try:
            await self._work()
        except Exception as error:
            if not self._is_failing:
                is_foreseen = isinstance(error, ServiceError)
                log.warning("%s failed and is tried again: %s", self._name, error, exc_info=not is_foreseen)
            self._is_failing = True
            return False
        if self._is_failing:
            log.info("%s works again", self._name)
        self._is_failing = False
        return True

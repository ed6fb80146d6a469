"""Keeps us below what Discord takes from one bot: asked to wait too often, it locks a bot out."""

import asyncio
from collections.abc import Callable
from time import monotonic

PER_SECOND = 42.0
BURST = 8.0
"""Discord takes 50 requests from one bot in any second: never more than these two together."""
SPARE = 4.0
"""What must be left before anything is done that nobody would miss."""


SHOW_EVERY_SECONDS = 1.2
"""Discord takes about five edits in five seconds of one channel; the reply itself needs one of them."""
KNOWN_PLACES = 256


class Pace:
    """A budget of requests that fills up again with time."""

    def __init__(self, *, per_second: float = PER_SECOND, clock: Callable[[], float] = monotonic) -> None:
        self._per_second = per_second
        self._clock = clock
        # A process that ended a moment ago may have used up this second.
        self._left = 0.0
        self._filled_at = clock()
        self._line = asyncio.Lock()
        self._shown_at: dict[int, float] = {}

    async def take(self) -> None:
        """Wait until one more request fits; those who wait go in order."""
        async with self._line:
            self._fill()
            if self._left < 1:
                await asyncio.sleep((1 - self._left) / self._per_second)
                self._fill()
            self._left -= 1

    async def spare(self, is_wanted: Callable[[], bool], *, place: int | None = None) -> bool:
        """Wait until there is plenty left, here and in all, and take it; False once it is not wanted any more.

        All that is shown in one *place* shares what Discord takes there.
        """
        while is_wanted():
            if self._may_show(place) and self.may_spare():
                self._note(place)
                return True
            await asyncio.sleep(SPARE / self._per_second)
        return False

    def _may_show(self, place: int | None) -> bool:
        return place is None or self._clock() - self._shown_at.get(place, 0.0) >= SHOW_EVERY_SECONDS

    def _note(self, place: int | None) -> None:
        if place is None:
            return
        self._shown_at[place] = self._clock()
        if len(self._shown_at) > KNOWN_PLACES:
            self._shown_at = {each: at for each, at in self._shown_at.items() if not self._may_show(each)}

    def may_spare(self) -> bool:
        """Take one request for something that nobody would miss, if there is plenty left."""
        self._fill()
        if self._line.locked() or self._left < SPARE:
            return False
        self._left -= 1
        return True

    def _fill(self) -> None:
        now = self._clock()
        self._left = min(BURST, self._left + (now - self._filled_at) * self._per_second)
        self._filled_at = now

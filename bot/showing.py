"""Shows a waiting member the newest that is known, never faster than the platform takes it."""

import asyncio
import logging
from collections.abc import Callable

from bot.surface import Delivery, Progress, Surface

log = logging.getLogger(__name__)


class Showing:
    """One turn's progress. What was not shown yet when something newer comes is never shown."""

    def __init__(self, *, surface: Surface, delivery: Callable[[], Delivery]) -> None:
        self._surface = surface
        self._delivery = delivery
        self._newest: Progress | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_settled = False

    def show(self, progress: Progress) -> None:
        """Show *progress* as soon as the platform has taken what is being shown; returns at once."""
        if self._is_settled:
            return
        self._newest = progress
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._pass_on())

    async def _pass_on(self) -> None:
        while (progress := self._newest) is not None:
            self._newest = None
            try:
                await self._surface.show(progress, self._delivery())
            except Exception:
                # The reply itself is still to come; that its progress could not be shown costs nobody anything.
                log.warning("progress of a turn could not be shown", exc_info=True)

    async def settle(self) -> None:
        """Show nothing more. What is on its way arrives first: cut off, it might be there unknown to us."""
        self._is_settled = True
        self._newest = None
        if self._task is not None:
            await self._task

    def cancel(self) -> None:
        """End at once, when the process ends; the next start looks for what was on its way."""
        self._is_settled = True
        if self._task is not None:
            self._task.cancel()

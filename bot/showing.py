"""Shows a waiting member the newest that is known, never faster than the platform takes it."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from bot.surface import Delivery, Progress, Surface

log = logging.getLogger(__name__)


class Showing:
    """One turn's progress. What was not shown yet when something newer comes is never shown."""

    def __init__(self, *, surface: Surface, delivery: Callable[[], Delivery], every_seconds: float = 0.0) -> None:
        self._surface = surface
        self._delivery = delivery
        self._every_seconds = every_seconds
        self._newest: Progress | None = None
        self._task: asyncio.Task[None] | None = None
        self._settled = asyncio.Event()

    def move_to(self, surface: Surface) -> None:
        """Show the next progress there."""
        self._surface = surface

    def show(self, progress: Progress) -> None:
        """Show *progress* as soon as the platform has taken what is being shown; returns at once."""
        if self._settled.is_set():
            return
        self._newest = progress
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._pass_on())

    async def _pass_on(self) -> None:
        while (progress := self._newest) is not None:
            self._newest = None
            try:
                await self._surface.show(progress, replace(self._delivery(), is_awaited=self._is_awaited))
            except Exception:
                # The reply itself is still to come; that its progress could not be shown costs nobody anything.
                log.warning("progress of a turn could not be shown", exc_info=True)
            if self._every_seconds:
                await self._pause()

    def _is_awaited(self) -> bool:
        return self._newest is None and not self._settled.is_set()

    async def _pause(self) -> None:
        """Leave the platform alone for a while, but not a moment longer than until the reply is there."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._settled.wait(), self._every_seconds)

    async def settle(self) -> None:
        """Show nothing more. What is on its way arrives first.

        Cut off, it might be there unknown to us, or arrive later and stand over the reply.
        """
        self._settled.set()
        self._newest = None
        if self._task is not None:
            await self._task

    def cancel(self) -> None:
        """End at once, when the process ends; the next start looks for what was on its way."""
        self._settled.set()
        if self._task is not None:
            self._task.cancel()

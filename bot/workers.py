"""How many turns are worked on at once: so many, or one that has the process to itself."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

Work = Callable[[], Coroutine[Any, Any, None]]


class Workers:
    """The tasks of the turns that are being worked on. *when_free* is called each time one of them ends."""

    def __init__(self, *, at_once: int, when_free: Callable[[], None]) -> None:
        self._at_once = at_once
        self._when_free = when_free
        self._tasks: set[asyncio.Task[None]] = set()
        self._held: Work | None = None
        """It must be alone, and waits for the others to end."""
        self._is_alone = False

    def __len__(self) -> int:
        return len(self._tasks)

    @property
    def has_room(self) -> bool:
        return self._held is None and not self._is_alone and len(self._tasks) < self._at_once

    def start(self, work: Work) -> None:
        task = asyncio.create_task(work())
        self._tasks.add(task)
        task.add_done_callback(self._end)

    def start_alone(self, work: Work) -> None:
        """Start it once the others have ended; there is no room for more before it has ended too."""
        self._held = work
        self._let_in()

    def _let_in(self) -> None:
        if self._held is not None and not self._tasks:
            self._is_alone, work, self._held = True, self._held, None
            self.start(work)

    def _end(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not self._tasks:
            self._is_alone = False
        self._let_in()
        self._when_free()

    async def cancel(self) -> None:
        """End them all, when the process ends."""
        self._held = None
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

"""Who may write next: those whom somebody waits for come before the others."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class WriterTurn:
    """A lock with two lines. A question that a platform wants acknowledged does not wait behind a book."""

    def __init__(self) -> None:
        self._is_held = False
        self._urgent: deque[asyncio.Future[None]] = deque()
        self._others: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def hold(self, *, is_urgent: bool) -> AsyncIterator[None]:
        """Inside the block nobody else writes."""
        await self._take(self._urgent if is_urgent else self._others)
        try:
            yield
        finally:
            self._pass_on()

    async def _take(self, line: deque[asyncio.Future[None]]) -> None:
        if not self._is_held:
            self._is_held = True
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        line.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            # The turn may have been given to us in the very moment in which we were cancelled.
            if turn.done() and not turn.cancelled():
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        for line in (self._urgent, self._others):
            while line:
                turn = line.popleft()
                if not turn.done():
                    turn.set_result(None)
                    return
        self._is_held = False

"""Work that goes on after Slack was answered."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from bot import wording
from core.errors import QuestionError, RateLimited

log = logging.getLogger(__name__)

Tell = Callable[[str], Awaitable[None]]


class Background:
    """Runs what may take longer than Slack waits. A failure becomes a sentence for whoever asked."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None], *, tell: Tell | None = None) -> None:
        """Begin *work* and return; *tell* says to the member what went wrong, if something does."""
        task = asyncio.create_task(_watched(work, tell))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def wait(self) -> None:
        """Return when all that was begun is done."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def _watched(work: Coroutine[Any, Any, None], tell: Tell | None) -> None:
    try:
        await work
    except Exception as error:
        sentence = excuse(error)
        if tell is not None:
            await _told(tell, sentence)


def excuse(error: Exception) -> str:
    """What a member is told of *error*; what only others can repair stands in the log under the same reference."""
    reference = secrets.token_hex(3)
    if not isinstance(error, QuestionError | RateLimited):
        log.warning("a command failed", exc_info=error, extra={"reference": reference})
    return wording.for_error(error, reference=reference)


async def _told(tell: Tell, sentence: str) -> None:
    try:
        await tell(sentence)
    except Exception:
        log.warning("a member could not be told what went wrong", exc_info=True)

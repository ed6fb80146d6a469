"""Ends tasks for certain."""

import asyncio
from collections.abc import Collection
from typing import Any

AGAIN_SECONDS = 0.5


async def end(tasks: Collection[asyncio.Task[Any]], *, again_seconds: float = AGAIN_SECONDS) -> None:
    """Cancel *tasks* and return when each has ended, however it ended.

    One cancel is not always enough: `asyncio.wait_for`, with which libraries connect, loses one that arrives
    together with what it waited for (before Python 3.12), and the library then goes on for ever.
    """
    left = {task for task in tasks if not task.done()}
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=again_seconds)

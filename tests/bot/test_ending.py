"""Tasks end when they are told to, also those that miss it the first time."""

import asyncio
from contextlib import suppress

import pytest

from bot.ending import end


async def test_a_task_that_misses_the_first_cancel_is_cancelled_again() -> None:
    begun = asyncio.Event()

    async def deaf_once() -> None:
        begun.set()
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        await asyncio.Event().wait()

    task = asyncio.create_task(deaf_once())
    await begun.wait()

    await asyncio.wait_for(end([task], again_seconds=0.01), 2)

    assert task.cancelled()


async def test_a_task_that_fails_while_ending_is_no_trouble() -> None:
    begun = asyncio.Event()

    async def fails() -> None:
        try:
            begun.set()
            await asyncio.Event().wait()
        finally:
            raise OSError("the line is gone")

    task = asyncio.create_task(fails())
    await begun.wait()

    await asyncio.wait_for(end([task]), 2)

    with pytest.raises(OSError, match="the line is gone"):
        task.result()


async def test_tasks_that_have_ended_are_left_alone() -> None:
    async def done() -> str:
        return "done"

    task = asyncio.create_task(done())
    await task

    await end([task])

    assert task.result() == "done"

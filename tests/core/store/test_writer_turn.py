"""Whoever somebody waits for writes first, and nobody's turn is lost."""

import asyncio

import pytest

from core.store.writer_turn import WriterTurn


async def write(turn: WriterTurn, name: str, written: list[str], *, is_urgent: bool = False) -> None:
    async with turn.hold(is_urgent=is_urgent):
        written.append(name)
        await asyncio.sleep(0)


async def test_what_is_urgent_goes_first_and_each_line_keeps_its_order() -> None:
    turn, written = WriterTurn(), list[str]()
    async with turn.hold(is_urgent=False):
        waiting = [asyncio.create_task(write(turn, name, written)) for name in ("book 1", "book 2")]
        await asyncio.sleep(0)
        for name in ("question 1", "question 2"):
            waiting.append(asyncio.create_task(write(turn, name, written, is_urgent=True)))
        await asyncio.sleep(0)
    await asyncio.gather(*waiting)

    assert written == ["question 1", "question 2", "book 1", "book 2"]


@pytest.mark.parametrize("has_turn", [False, True], ids=["while waiting", "in the moment of its turn"])
async def test_one_that_is_cancelled_does_not_keep_the_others_waiting(has_turn: bool) -> None:
    turn, written = WriterTurn(), list[str]()
    async with turn.hold(is_urgent=False):
        cancelled = asyncio.create_task(write(turn, "never", written))
        after = asyncio.create_task(write(turn, "after", written))
        await asyncio.sleep(0)
        if not has_turn:
            cancelled.cancel()
            await asyncio.sleep(0)
    # Leaving the block gave the turn to the first in line, whose task has not run since.
    cancelled.cancel()

    await asyncio.wait_for(after, 60)
    assert written == ["after"]
    async with turn.hold(is_urgent=False):
        pass


async def test_a_turn_that_raises_is_passed_on() -> None:
    turn = WriterTurn()

    with pytest.raises(ZeroDivisionError):
        async with turn.hold(is_urgent=True):
            raise ZeroDivisionError

    async with turn.hold(is_urgent=False):
        pass

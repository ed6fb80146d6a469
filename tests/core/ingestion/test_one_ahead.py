"""The next item is made while the last one is worked on, and nothing is left running."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from core.ingestion.one_ahead import one_ahead


class Making:
    """Makes numbers and keeps what it did."""

    def __init__(self, *, breaks_at: int | None = None) -> None:
        self.made: list[int] = []
        self.is_closed = False
        self._breaks_at = breaks_at

    async def numbers(self) -> AsyncGenerator[int, None]:
        try:
            for number in range(1, 5):
                if number == self._breaks_at:
                    raise ValueError("broken")
                self.made.append(number)
                yield number
        finally:
            self.is_closed = True


async def test_every_item_comes_in_order_and_the_next_is_begun_meanwhile() -> None:
    making = Making()
    seen: list[tuple[int, list[int]]] = []

    async with one_ahead(making.numbers()) as ready:
        async for number in ready:
            await asyncio.sleep(0)
            seen.append((number, list(making.made)))

    assert [number for number, _ in seen] == [1, 2, 3, 4]
    assert seen[0] == (1, [1, 2])
    assert making.is_closed


async def test_leaving_early_closes_the_source() -> None:
    making = Making()

    async with one_ahead(making.numbers()) as ready:
        assert await anext(ready) == 1

    assert making.is_closed
    assert len(making.made) <= 2


async def test_a_broken_source_is_told_after_what_came_before() -> None:
    making = Making(breaks_at=3)
    seen: list[int] = []

    async def take_all() -> None:
        async with one_ahead(making.numbers()) as ready:
            async for number in ready:
                seen.append(number)

    with pytest.raises(ValueError, match="broken"):
        await take_all()

    assert seen == [1, 2]
    assert making.is_closed

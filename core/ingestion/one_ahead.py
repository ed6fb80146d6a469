"""Makes the next item while the last one is worked on."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import TypeVar

Item = TypeVar("Item")


@asynccontextmanager
async def one_ahead(items: AsyncGenerator[Item, None]) -> AsyncIterator[AsyncIterator[Item]]:
    """The same items in the same order, each begun when the one before it is taken; closed with the block."""
    async with aclosing(items), aclosing(_ahead(items)) as ahead:
        yield ahead


async def _ahead(items: AsyncGenerator[Item, None]) -> AsyncGenerator[Item, None]:
    following = asyncio.create_task(_next(items))
    try:
        while (item := await following) is not None:
            following = asyncio.create_task(_next(items))
            yield item
    finally:
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)


async def _next(items: AsyncGenerator[Item, None]) -> Item | None:
    return await anext(items, None)

"""Deletes what stands in the channel longer than the operator wants to keep it."""

import asyncio

from bot.adapters.web.posts import Posts
from core.store.moments import seconds_ago

ROUND_SECONDS = 3600.0
SECONDS_A_DAY = 86_400


async def keep_for(days: int, posts: Posts) -> None:
    """Until cancelled, delete threads that nobody wrote in for *days*; 0 keeps everything."""
    while days:
        await posts.delete_before(seconds_ago(days * SECONDS_A_DAY))
        await asyncio.sleep(ROUND_SECONDS)

"""Opens the thread of a question, and does not wait for minutes where Discord opens no more of them."""

import asyncio
from time import monotonic
from typing import Final

import discord

from bot.adapters.discord.pace import Pace
from bot.adapters.discord.target import MessageTarget
from bot.adapters.discord.trouble import THREAD_EXISTS

ARCHIVE_MINUTES: Final = 1440
PATIENCE_SECONDS = 10.0
USED_UP_SECONDS = 300.0
"""How long a channel's questions are answered beside them once its threads are used up."""


class Threads:
    """One client's threads.

    Discord allows a number of new threads for each channel and some minutes. The call that uses up the last one
    succeeds, but discord.py returns from it only when the minutes are over; so do those after it.
    """

    def __init__(self, client: discord.Client, pace: Pace, *, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._client = client
        self._pace = pace
        self._patience_seconds = patience_seconds
        self._used_up_until: dict[int, float] = {}

    async def open(self, target: MessageTarget) -> int | None:
        """The id of the thread on a question, opened if need be; None if the reply belongs beside the question."""
        if monotonic() < self._used_up_until.get(target.channel, 0.0):
            return await self._found(target)
        await self._pace.take()
        opening = asyncio.create_task(self._start(target))
        await asyncio.wait({opening}, timeout=self._patience_seconds)
        if opening.done():
            return opening.result()
        self._used_up_until[target.channel] = monotonic() + USED_UP_SECONDS
        # It is not cancelled: discord.py would hold back every other request were it cut off in the wrong moment.
        opening.add_done_callback(lambda task: task.cancelled() or task.exception())
        return await self._found(target)

    async def _start(self, target: MessageTarget) -> int | None:
        try:
            await self._client.http.start_thread_with_message(
                target.channel, target.message, name=target.title, auto_archive_duration=ARCHIVE_MINUTES
            )
        except discord.HTTPException as error:
            if error.code == THREAD_EXISTS:
                return target.message
            if isinstance(error, discord.Forbidden | discord.NotFound) or error.status == 400:
                # We may not open threads here, or the question is gone: answer beside it.
                return None
            raise
        return target.message

    async def _found(self, target: MessageTarget) -> int | None:
        await self._pace.take()
        try:
            await self._client.fetch_channel(target.message)
        except discord.NotFound:
            return None
        return target.message

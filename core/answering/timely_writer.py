"""A writer with a deadline around the whole answer."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator

from core.errors import ServiceTimeout
from core.model import Draft, Findings, StageEvent, Task, TextEvent
from core.ports import Writer


class TimelyWriter:
    """Lets *writer* write for *seconds* and no longer."""

    def __init__(self, writer: Writer, *, seconds: float) -> None:
        self._writer = writer
        self._seconds = seconds

    @property
    def model(self) -> str:
        return self._writer.model

    async def write(self, task: Task) -> AsyncIterator[StageEvent | TextEvent | Findings | Draft]:
        """Tell what the writer tells.

        Raises:
            ServiceTimeout: the draft did not come in time.
        """
        # The deadline holds while we wait for the writer, not while our caller works with what we gave.
        deadline = asyncio.get_running_loop().time() + self._seconds
        events = self._writer.write(task)
        try:
            while True:
                async with asyncio.timeout_at(deadline):
                    event = await anext(events, None)
                if event is None:
                    return
                yield event
        except TimeoutError as error:
            raise ServiceTimeout(self.model, f"no answer within {self._seconds:g} seconds") from error
        finally:
            if isinstance(events, AsyncGenerator):
                await events.aclose()

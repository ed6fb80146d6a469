"""Runs a model on a thread of its own, so that the event loop keeps answering people."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

Model = TypeVar("Model")
Result = TypeVar("Result")


class ModelThread(Generic[Model]):
    """One thread that loads a model at its first use and is the only one to touch it.

    Work is done in the order it was asked for. A caller with much to do asks piece by piece: then others
    wait for one piece, not for all of it, and cancelling it leaves at most one piece running.
    """

    def __init__(self, load: Callable[[], Model], *, name: str) -> None:
        self._load = load
        self._model: Model | None = None
        # A single worker also means that callers who arrive together load the model once, without a lock.
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)

    async def load(self) -> None:
        """Have the model ready on return. A load that failed is tried again by the next call."""
        await self.run(lambda model: None)

    async def run(self, work: Callable[[Model], Result]) -> Result:
        """What *work* makes of the model, which is loaded first if need be."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, self._run, work)

    async def close(self) -> None:
        """Drop the model once the piece in hand is done; what waits is cancelled. Closing twice is harmless."""
        await asyncio.to_thread(self._executor.shutdown, wait=True, cancel_futures=True)
        self._model = None

    def _run(self, work: Callable[[Model], Result]) -> Result:
        if self._model is None:
            self._model = self._load()
        return work(self._model)

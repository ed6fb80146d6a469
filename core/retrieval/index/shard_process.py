"""The shard in a process of its own: whatever the engine does, members' messages are not kept waiting for it."""

import asyncio
import logging
from asyncio.subprocess import Process
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from core.errors import ServiceDown
from core.pipes import to_frame
from core.processes import receive, start_program
from core.retrieval.index.edge_shard import EdgeShard

PROGRAM = "core.retrieval.index.shard_program"
CLOSE_SECONDS = 10.0
ENDED = "its process ended twice in a row; ask again, and see whether the machine is short of memory"

Done = tuple[Any, Exception | None]
"""What a call gave, or why it failed: an answer of the process."""

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")


class ShardProcess:
    """The shard's process, started again should it end by itself."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._line: _Line | None = None
        self._starting = asyncio.Lock()

    async def open(self) -> None:
        await self._open_line()

    async def run(self, call: Callable[Concatenate[EdgeShard, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        frame = to_frame((call, args, kwargs))
        value: T
        # Every call may be made twice: it finds, or it leaves things as they are to be.
        try:
            value = await self._ask(frame)
        except _EndedError:
            try:
                value = await self._ask(frame)
            except _EndedError:
                raise ServiceDown("index", ENDED) from None
        return value

    async def close(self) -> None:
        line, self._line = self._line, None
        if line is None:
            return
        try:
            with suppress(_EndedError):
                await line.ask(to_frame((EdgeShard.close, (), {})))
        finally:
            await line.end()

    async def _ask(self, frame: bytes) -> Any:
        line = self._line
        if line is None or line.is_over:
            line = await self._open_line()
        return await line.ask(frame)

    async def _open_line(self) -> "_Line":
        async with self._starting:
            if self._line is None or self._line.is_over:
                if self._line is not None:
                    log.warning("the index's process ended by itself; it is started again")
                line = _Line(await start_program(PROGRAM, str(self._folder)))
                try:
                    await line.answer()
                except BaseException:
                    await line.end()
                    raise
                self._line = line
            return self._line


class _Line:
    """One process and the questions it has not answered yet; it answers them in their order."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._open: deque[asyncio.Future[Done]] = deque()
        self._listening = asyncio.create_task(self._listen())

    @property
    def is_over(self) -> bool:
        return self._listening.done()

    async def ask(self, frame: bytes) -> Any:
        """What the call in *frame* gives.

        Raises:
            _EndedError: the process ended before it answered.
            ServiceDown: the engine failed.
        """
        assert self._process.stdin is not None
        if not self.is_over:
            self._process.stdin.write(frame)
        return await self.answer()

    async def answer(self) -> Any:
        """The next answer that nobody waits for yet."""
        if self.is_over:
            raise _EndedError
        # Whoever stops waiting leaves the future behind, so that the answers still fall to the right ones.
        waiting: asyncio.Future[Done] = asyncio.get_running_loop().create_future()
        self._open.append(waiting)
        value, error = await waiting
        if error is not None:
            raise error
        return value

    async def end(self) -> None:
        """Let the process go; one that does not is ended."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), CLOSE_SECONDS)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
        await self._listening

    async def _listen(self) -> None:
        assert self._process.stdout is not None
        try:
            with suppress(asyncio.IncompleteReadError, ConnectionError):
                while True:
                    done = await receive(self._process.stdout)
                    waiting = self._open.popleft()
                    if not waiting.done():
                        waiting.set_result(done)
        finally:
            for waiting in self._open:
                if not waiting.done():
                    waiting.set_exception(_EndedError())


class _EndedError(Exception):
    """The process is gone."""

"""Reads files in processes of their own: in parallel, each with a time limit, none able to harm the rest."""

import asyncio
import os
import pickle
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import deque
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from core.errors import UnreadableFile
from core.ingestion.lesson import Reader, SourceFile
from core.ingestion.prepared import PreparedLesson
from core.ingestion.reading_process import LENGTH_BYTES, Answer

FILE_SECONDS = 20.0
"""How long one file may take."""
START_SECONDS = 60.0
"""A process must import the readers first, which takes a while on a busy machine."""
MOST_PROCESSES = 4
PIPE_BYTES = 1 << 20
AHEAD_BYTES = 4_000_000
AHEAD_FILES = 200
"""How much is read before its turn: enough to keep the processes busy while we store, little enough to hold."""


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file with its lessons, or with the reason why it has none."""

    source: SourceFile
    lessons: Sequence[PreparedLesson] = ()
    problem: str | None = None


class Reading:
    """A few reading processes, started when there is something to read. Made by `open_reading`."""

    def __init__(self, *, processes: int, file_seconds: float) -> None:
        self._free: asyncio.LifoQueue[_ReadingProcess] = asyncio.LifoQueue()
        self._all = [_ReadingProcess(file_seconds) for _ in range(processes)]
        for process in self._all:
            self._free.put_nowait(process)

    async def read(self, reader: Reader, files: Iterable[SourceFile]) -> AsyncIterator[ReadFile]:
        """Each file in the order given, some being read ahead."""
        ahead: deque[tuple[asyncio.Task[ReadFile], int]] = deque()
        size = 0
        try:
            for source in files:
                ahead.append((asyncio.create_task(self._read(reader, source)), source.size))
                size += source.size
                while len(ahead) > len(self._all) and (size > AHEAD_BYTES or len(ahead) > AHEAD_FILES):
                    task, bytes_read = ahead.popleft()
                    yield await task
                    size -= bytes_read
            while ahead:
                yield await ahead.popleft()[0]
        finally:
            for task, _ in ahead:
                task.cancel()
            await asyncio.gather(*(task for task, _ in ahead), return_exceptions=True)

    async def close(self) -> None:
        for process in self._all:
            await process.stop()

    async def _read(self, reader: Reader, source: SourceFile) -> ReadFile:
        process = await self._free.get()
        try:
            return ReadFile(source, lessons=await process.read(reader, source))
        except UnreadableFile as error:
            return ReadFile(source, problem=error.message)
        finally:
            self._free.put_nowait(process)


class _ReadingProcess:
    """One process, started again after a file that broke it or took too long."""

    def __init__(self, file_seconds: float) -> None:
        self._file_seconds = file_seconds
        self._process: Process | None = None

    async def read(self, reader: Reader, source: SourceFile) -> list[PreparedLesson]:
        request = pickle.dumps((reader, source), protocol=pickle.HIGHEST_PROTOCOL)
        is_new = self._process is None
        process = self._process = self._process or await _start()
        seconds = self._file_seconds + (START_SECONDS if is_new else 0.0)
        try:
            answer = await asyncio.wait_for(_exchange(process, request), seconds)
        except TimeoutError as error:
            await self.stop()
            raise UnreadableFile(f"Reading it took longer than {self._file_seconds:.0f} seconds.") from error
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            await self.stop()
            raise UnreadableFile("Reading it broke down; it may need more memory than a file may take.") from error
        except BaseException:
            # Cancelled in the middle of an exchange: what comes next on the pipe would belong to this file.
            await self.stop()
            raise
        if isinstance(answer, str):
            raise UnreadableFile(answer)
        return answer

    async def stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            process.kill()
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()


@asynccontextmanager
async def open_reading(
    *, processes: int | None = None, file_seconds: float = FILE_SECONDS
) -> AsyncIterator[Reading]:
    """Reading processes for as long as the block lasts; none is started before the first file."""
    reading = Reading(processes=processes or min(MOST_PROCESSES, os.cpu_count() or 1), file_seconds=file_seconds)
    try:
        yield reading
    finally:
        await reading.close()


async def _start() -> Process:
    # The same modules as here, wherever they were found; the parent's own program is not imported again.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "core.ingestion.reading_process",
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        env=environment,
        limit=PIPE_BYTES,
    )


async def _exchange(process: Process, request: bytes) -> Answer:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(len(request).to_bytes(LENGTH_BYTES, "big") + request)
    await process.stdin.drain()
    length = await process.stdout.readexactly(LENGTH_BYTES)
    body = await process.stdout.readexactly(int.from_bytes(length, "big"))
    answer: Answer = pickle.loads(body)  # noqa: S301 - our own process made it
    return answer

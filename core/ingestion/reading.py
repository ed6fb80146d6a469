"""Reads files in processes of their own: in parallel, each with a time limit, none able to harm the rest."""

import asyncio
import os
from asyncio.subprocess import DEVNULL, Process
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from core.ingestion.lesson import Reader, SourceFile
from core.ingestion.prepared import PreparedLesson
from core.ingestion.reading_process import Answer
from core.pipes import to_frame
from core.processes import receive, start_program

FILE_SECONDS = 20.0
"""How long one file may take."""
START_SECONDS = 60.0
"""A process must import the readers first, which takes a while on a busy machine."""
MOST_PROCESSES = 4
BATCH_FILES, BATCH_BYTES = 16, 256_000
"""What a process is given at once, so that it never waits for us between two small files."""
AHEAD_FILES, AHEAD_BYTES = 200, 4_000_000
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

    def start(self) -> None:
        """Start the processes already: there will be something to read, and starting takes them a while."""
        for process in self._all:
            process.start()

    async def read(self, reader: Reader, files: Iterable[SourceFile]) -> AsyncIterator[ReadFile]:
        """Each file in the order given, some being read ahead."""
        ahead: deque[tuple[asyncio.Task[list[ReadFile]], int]] = deque()
        left = AHEAD_BYTES
        try:
            for batch in in_batches(files):
                size = sum(max(source.size, AHEAD_BYTES // AHEAD_FILES) for source in batch)
                ahead.append((asyncio.create_task(self._read(reader, batch)), size))
                left -= size
                while ahead and (ahead[0][0].done() or (left < 0 and len(ahead) > len(self._all))):
                    task, size = ahead.popleft()
                    for each in await task:
                        yield each
                    left += size
            while ahead:
                for each in await ahead.popleft()[0]:
                    yield each
        finally:
            for task, _ in ahead:
                task.cancel()
            await asyncio.gather(*(task for task, _ in ahead), return_exceptions=True)

    async def close(self) -> None:
        for process in self._all:
            await process.stop()

    async def _read(self, reader: Reader, batch: Sequence[SourceFile]) -> list[ReadFile]:
        process = await self._free.get()
        try:
            return [each async for each in process.read(reader, batch)]
        finally:
            self._free.put_nowait(process)


class _ReadingProcess:
    """One process, started again after a file that broke it or took too long."""

    def __init__(self, file_seconds: float) -> None:
        self._file_seconds = file_seconds
        self._process: Process | None = None
        self._starting: asyncio.Task[Process] | None = None

    def start(self) -> None:
        if self._process is None and self._starting is None:
            self._starting = asyncio.create_task(_start())

    async def read(self, reader: Reader, batch: Sequence[SourceFile]) -> AsyncIterator[ReadFile]:
        """Each file of the batch, whatever the others do."""
        done = 0
        while done < len(batch):
            async for each in self._read_until_it_breaks(reader, batch[done:]):
                done += 1
                yield each

    async def stop(self) -> None:
        if self._starting is not None:
            self._process = await self._started()
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            process.kill()
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()

    async def _read_until_it_breaks(self, reader: Reader, batch: Sequence[SourceFile]) -> AsyncIterator[ReadFile]:
        grace = START_SECONDS if self._process is None else 0.0
        try:
            process = self._process = await self._started()
            await _ask(process, reader, batch)
            for source in batch:
                answer = await self._answer(process, self._file_seconds + grace)
                grace = 0.0
                yield _to_read_file(source, answer)
                if self._process is not process:
                    return
        except BaseException:
            # What comes next on the pipe would belong to these files.
            await self.stop()
            raise

    async def _started(self) -> Process:
        starting, self._starting = self._starting, None
        return await starting if starting else self._process or await _start()

    async def _answer(self, process: Process, seconds: float) -> Answer:
        """What the process says of its next file; where it says nothing it is stopped."""
        try:
            return await asyncio.wait_for(_receive(process), seconds)
        except TimeoutError:
            await self.stop()
            return f"Reading it took longer than {self._file_seconds:.0f} seconds."
        except (asyncio.IncompleteReadError, ConnectionError):
            await self.stop()
            return "Reading it broke down; it may need more memory than a file may take."


def in_batches(files: Iterable[SourceFile]) -> Iterator[list[SourceFile]]:
    """Small files together, large ones alone, in order."""
    batch: list[SourceFile] = []
    size = 0
    for source in files:
        if batch and (len(batch) >= BATCH_FILES or size + source.size > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(source)
        size += source.size
    if batch:
        yield batch


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
    return await start_program("core.ingestion.reading_process", stderr=DEVNULL)


async def _ask(process: Process, reader: Reader, batch: Sequence[SourceFile]) -> None:
    assert process.stdin is not None
    process.stdin.write(to_frame((reader, list(batch))))
    with suppress(ConnectionError):
        # A process that is gone will be missed when its answer is.
        await process.stdin.drain()


async def _receive(process: Process) -> Answer:
    assert process.stdout is not None
    answer: Answer = await receive(process.stdout)
    return answer


def _to_read_file(source: SourceFile, answer: Answer) -> ReadFile:
    return ReadFile(source, problem=answer) if isinstance(answer, str) else ReadFile(source, lessons=answer)

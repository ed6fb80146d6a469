"""Killed at any point, ingestion leaves the old book or the new one, and the next run finishes the work."""

import asyncio
import os
import signal
import sys
import traceback
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import pytest

from core.ingestion.lesson import Reader, SourceFile
from core.ingestion.prepared import prepare
from core.ingestion.reading import ReadFile, Reading
from core.retrieval.words import Words
from core.store.job import JobStatus
from tests.core.ingestion.workshop import BOOK, Workshop, lesson, open_workshop, passage
from tests.fakes.letters_embedder import LettersEmbedder

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal"),
]

SLOW = 0.006
PROGRAM = f"from {__name__} import die_on_demand; die_on_demand()"
POINTS = (
    "before:index.put",
    "after:index.put",
    "before:library.replace_files",
    "after:library.replace_files",
    "before:index.delete",
    "after:index.delete",
    "after:library.clear_stale",
    "before:library.delete_files",
    "after:library.delete_files",
    "before:index.put_embeddings",
    "after:index.put_embeddings",
    "after:library.clear_pending",
    "before:jobs.finish",
)


class Deadly:
    """Does what another object does, until a named call kills the process."""

    def __init__(self, real: object, name: str, point: str) -> None:
        self._real = real
        when, _, call = point.partition(":")
        self._when, self._call = when, call.removeprefix(f"{name}.") if call.startswith(f"{name}.") else ""

    def __getattr__(self, method: str) -> Any:
        call = getattr(self._real, method)
        if method != self._call:
            return call

        async def die(*args: object, **kwargs: object) -> None:
            if self._when == "after":
                await call(*args, **kwargs)
            os.kill(os.getpid(), signal.SIGKILL)

        return die


async def ingest_and_die(folder: Path, point: str) -> None:
    """Runs in a process of its own, which does not survive it."""
    reading: Any = InlineReading()
    async with open_workshop(folder, embedder=LettersEmbedder(seconds=SLOW), reading=reading) as workshop:
        parts: dict[str, Any] = {
            name: Deadly(getattr(workshop, name), name, point) for name in ("library", "jobs", "index")
        }
        await workshop.with_parts(**parts).ingest()


class InlineReading:
    """Reads files in this process: what is killed here is the process that stores them."""

    async def read(self, reader: Reader, files: Iterable[SourceFile]) -> AsyncIterator[ReadFile]:
        for source in files:
            yield ReadFile(source, prepare(reader, source, Words()))


class Killing:
    """A process that has loaded everything, and makes a copy of itself for each point to die at."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None

    async def killed_at(self, folder: Path, point: str) -> int:
        """How the copy ended: by which signal, negative."""
        process = self._process = self._process or await asyncio.create_subprocess_exec(
            sys.executable, "-c", PROGRAM, stdin=PIPE, stdout=PIPE
        )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{folder}\t{point}\n".encode())
        return int(await asyncio.wait_for(process.stdout.readline(), 60))

    async def stop(self) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            await asyncio.wait_for(self._process.wait(), 60)


def die_on_demand() -> None:
    """The program of that process. No thread runs in it, so a copy of it is whole."""
    for line in sys.stdin:
        folder, point = line.rstrip("\n").split("\t")
        child = os.fork()
        if child == 0:
            try:
                asyncio.run(ingest_and_die(Path(folder), point))
            except BaseException:
                traceback.print_exc()
            # Without this the copy would go on with its parent's work.
            os._exit(1)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


def write_version(workshop: Workshop, number: int) -> set[str]:
    """Change a file, delete one and add one; what the book is about afterwards."""
    (workshop.source / f"{number - 1}.md").unlink(missing_ok=True)
    # Letters: a number would be a word of its own, common to all.
    letter = ascii_lowercase[number]
    changed, added = f"changed{letter}q", f"added{letter}q"
    workshop.write({"a.md": lesson(passage("gripper"), passage(changed)), f"{number}.md": lesson(passage(added))})
    return {"gripper", changed, added}


async def test_killed_at_every_point_it_leaves_old_or_new_and_the_next_run_finishes(
    tmp_path: Path, reading: Reading
) -> None:
    embedder, killing = LettersEmbedder(seconds=SLOW), Killing()
    async with open_workshop(tmp_path, embedder=embedder, reading=reading) as workshop:
        before = write_version(workshop, 0)
        await workshop.ingest()
        after = write_version(workshop, 1)

    for number, point in enumerate(POINTS, 1):
        assert await killing.killed_at(tmp_path, point) == -signal.SIGKILL, point

        async with open_workshop(tmp_path, embedder=embedder, reading=reading) as workshop:
            await check_each_file_is_old_or_new(workshop, before, after, point)
            await workshop.jobs.requeue_interrupted()
            job = await workshop.ingest()
            assert job.status is JobStatus.COMPLETED, point
            assert await said(workshop) == after, point
            await workshop.check_all_is_well()
            before, after = after, write_version(workshop, number + 1)
    await killing.stop()


async def check_each_file_is_old_or_new(workshop: Workshop, old: set[str], new: set[str], point: str) -> None:
    await workshop.check_chains()
    found = await said(workshop)
    assert "gripper" in found, point
    assert len({word for word in found if word.startswith("changed")}) == 1, point
    assert found <= old | new, point
    # Whatever a reader may be shown, words lead to it.
    for word in found:
        assert len(await workshop.found_by_words(word)) == 1, point


async def said(workshop: Workshop) -> set[str]:
    """What the book is about, passage by passage."""
    return {chunk.text.partition("The ")[2].split()[0] for chunk in (await workshop.chunks(BOOK)).values()}

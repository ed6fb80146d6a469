"""A file that breaks its reader, or never ends, costs that file and nothing else."""

import asyncio
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.ingestion.lesson import Block, BlockKind, Lesson, LessonPlace, SourceFile
from core.ingestion.reading import BATCH_BYTES, BATCH_FILES, ReadFile, Reading, in_batches, open_reading

pytestmark = pytest.mark.asyncio(loop_scope="module")


@dataclass(frozen=True)
class FragileReader:
    """Does what the name of a file says."""

    def discover(self, root: Path) -> list[SourceFile]:
        return []

    def parts(self, source: SourceFile) -> list[Path]:
        return []

    def read(self, source: SourceFile) -> list[Lesson]:
        match source.path:
            case "crash":
                os.kill(os.getpid(), signal.SIGKILL)
            case "hang":
                time.sleep(3600)  # this is what is tested: a reader that never ends
            case "greedy":
                bytearray(4 << 30)
            case "deep":
                return self.read(source)
            case "wrong":
                raise KeyError("page")
            case "noisy":
                os.write(1, b"a library says hello on standard output")
        text = f"This is what {source.path} says, at some length."
        block = Block(BlockKind.PARAGRAPH, text, ())
        return [Lesson(source.path, source.path, (block,), LessonPlace(), (), source.path, 0)]


async def read(reading: Reading, *names: str) -> list[ReadFile]:
    files = [SourceFile(name, name, 0) for name in names]
    return [each async for each in reading.read(FragileReader(), files)]


async def test_files_come_back_in_order_with_their_pieces_and_words(reading: Reading) -> None:
    names = [f"file{n}" for n in range(20)]

    found = await read(reading, *names)

    assert [each.source.path for each in found] == names
    [lesson] = found[3].lessons
    assert lesson.pieces[0].text == "This is what file3 says, at some length."
    assert len(lesson.terms) == 1
    assert lesson.lesson.blocks == ()


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        pytest.param("crash", "broke down", id="killed"),
        pytest.param("greedy", "memory", id="needs too much memory"),
        pytest.param("deep", "nested too deeply", id="recursion"),
        pytest.param("wrong", "KeyError", id="a mistake of ours"),
    ],
)
async def test_a_bad_file_costs_itself_alone(reading: Reading, bad: str, reason: str) -> None:
    before, broken, after = await read(reading, "good", bad, "fine")

    assert broken.problem is not None
    assert reason in broken.problem
    assert before.problem is None
    assert [lesson.lesson.title for lesson in after.lessons] == ["fine"]


async def test_a_file_that_never_ends_is_given_up() -> None:
    async with open_reading(processes=1, file_seconds=1) as hasty:
        [warm] = await read(hasty, "good")
        hanging, after = await read(hasty, "hang", "fine")

    assert warm.problem is None
    assert hanging.problem == "Reading it took longer than 1 seconds."
    assert after.problem is None


async def test_several_bad_files_in_a_row_cost_themselves_alone(reading: Reading) -> None:
    found = await read(reading, "crash", "good", "greedy", "crash", "crash", "fine")

    assert [each.source.path for each in found] == ["crash", "good", "greedy", "crash", "crash", "fine"]
    assert [each.problem is None for each in found] == [False, True, False, False, False, True]


async def test_large_files_are_read_alone_and_small_ones_together() -> None:
    sizes = [10, 20, BATCH_BYTES, 5, *[1] * BATCH_FILES]
    files = [SourceFile(str(number), "", size) for number, size in enumerate(sizes)]

    batches = list(in_batches(files))

    assert [source for batch in batches for source in batch] == files
    assert [len(batch) for batch in batches] == [2, 1, BATCH_FILES, 1]


async def test_what_a_library_prints_does_no_harm(reading: Reading) -> None:
    noisy, after = await read(reading, "noisy", "fine")

    assert noisy.problem is None
    assert after.problem is None


def children() -> set[str]:
    """The processes that we started, where the system tells."""
    return {child for each in Path("/proc/self/task").glob("*/children") for child in each.read_text().split()}


@pytest.mark.parametrize("names", [("file",), ()], ids=["something to read", "nothing to read"])
async def test_processes_that_were_started_ahead_read_and_end(names: tuple[str, ...]) -> None:
    before = children()
    async with open_reading(processes=2) as reading:
        reading.start()
        reading.start()
        found = await read(reading, *names)

    assert [each.problem for each in found] == [None for _ in names]
    assert asyncio.all_tasks() == {asyncio.current_task()}, "a process is still being started"
    assert children() <= before

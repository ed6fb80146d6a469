"""Files may take each other's places, and none of them loses its text on the way."""

from collections.abc import Sequence
from typing import Any

import pytest

from core.ingestion.gathering import Gathering
from core.ingestion.intake import GROUP_CHUNKS
from core.ingestion.placing import Placing
from core.ingestion.prepared import PreparedLesson
from core.ingestion.request import Mode
from core.store.library import FileRecord
from tests.core.ingestion.making import a_lesson
from tests.core.ingestion.workshop import Workshop, lesson, passage

BROKEN = bytes(range(256)) * 40


class Watched:
    """The library, and what it says after each group of files."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop
        self.said: list[set[str]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._workshop.library, name)

    async def replace_files(self, *args: Any, **kwargs: Any) -> Any:
        replaced = await self._workshop.library.replace_files(*args, **kwargs)
        self.said.append(await words(self._workshop))
        return replaced


async def words(workshop: Workshop) -> set[str]:
    return {chunk.text.partition("The ")[2].split()[0] for chunk in (await workshop.chunks()).values()}


async def places(workshop: Workshop) -> dict[str, int]:
    return {chunk.source_file: chunk.place.lesson for chunk in (await workshop.chunks()).values()}


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize(("broken", "other"), [("b.md", "a.md"), ("a.md", "b.md")])
async def test_a_broken_file_keeps_its_text_when_another_file_says_its_number(
    workshop: Workshop, mode: Mode, broken: str, other: str
) -> None:
    at = {"a.md": 1, "b.md": 2}
    workshop.write({path: lesson(passage(path[0] + "rm"), lesson=number) for path, number in at.items()})
    await workshop.ingest()
    workshop.write({other: lesson(passage("wrist"), lesson=at[broken]), broken: BROKEN})

    job = await workshop.ingest(mode)

    said = {error.source_file: error.message for error in job.errors}
    assert (job.files_failed, sorted(said)) == (1, ["a.md", "b.md"])
    assert f"already has a lesson {at[broken]}; this one is placed as lesson" in said[other]
    assert await words(workshop) == {broken[0] + "rm", "wrist"}
    assert await places(workshop) == {broken: at[broken], other: 3 if at[broken] == 2 else 2}
    await workshop.check_all_is_well()


@pytest.mark.asyncio(loop_scope="module")
async def test_a_broken_file_keeps_its_text_when_the_book_is_counted_anew(workshop: Workshop) -> None:
    workshop.write({"b.md": lesson(passage("elbow")), "c.md": lesson(passage("wrist"))})
    await workshop.ingest()
    workshop.write({"a.md": lesson(passage("gripper")), "b.md": BROKEN})

    job = await workshop.ingest(Mode.RECREATE)

    assert job.files_failed == 1
    assert await words(workshop) == {"gripper", "elbow", "wrist"}
    await workshop.check_all_is_well()


@pytest.mark.asyncio(loop_scope="module")
async def test_no_lesson_is_missing_while_two_far_apart_change_places(workshop: Workshop) -> None:
    between = {"m.md": lesson(*(passage(f"m{at}x") for at in range(GROUP_CHUNKS)))}
    first, last = passage("gripper"), passage("wrist")
    workshop.write({"a.md": lesson(first, lesson=1), **between, "z.md": lesson(last, lesson=2)})
    await workshop.ingest()
    everything = await words(workshop)
    watched: Any = Watched(workshop)
    workshop.write({"a.md": lesson(first, lesson=2), "z.md": lesson(last, lesson=1)})

    await workshop.with_parts(library=watched, jobs=workshop.jobs, index=workshop.index).ingest(Mode.FULL)

    assert watched.said == [everything] * len(watched.said)
    assert await places(workshop) == {"a.md": 2, "m.md": 0, "z.md": 1}
    await workshop.check_all_is_well()


def add(gathering: Gathering, file: str) -> None:
    prepared: Sequence[PreparedLesson] = [PreparedLesson(a_lesson(source_file=file), (), ())]
    gathering.add(FileRecord(file, "hash"), prepared)


def test_files_that_take_nobodys_place_need_not_wait() -> None:
    placed = Placing("book").place(a_lesson()).place
    gathering = Gathering(Placing("book", held={"b.md": [placed]}), former={"b.md": [placed]})

    add(gathering, "a.md")

    assert gathering.is_whole


@pytest.mark.parametrize("is_read", [True, False])
def test_a_file_waits_for_the_one_whose_place_it_takes(is_read: bool) -> None:
    placed = Placing("book").place(a_lesson()).place
    gathering = Gathering(Placing("book"), former={"b.md": [placed]})
    add(gathering, "a.md")
    was_whole = gathering.is_whole

    if is_read:
        add(gathering, "b.md")
    else:
        gathering.failed("b.md")

    assert (was_whole, gathering.is_whole) == (False, True)
    numbers = [row.place.lesson for each in gathering.take() for row in each.file.lessons]
    assert numbers == ([0, 1] if is_read else [1])

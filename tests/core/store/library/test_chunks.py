"""Chunks are read by id, with their neighbours, and through a book of any size."""

import pytest

from core.model import Place
from core.store.library import FileRecord, Library
from tests.core.store.making import add_book, make_chunks, make_lesson, store_file, words


async def test_chunk_comes_back_as_it_was_stored(library: Library) -> None:
    await add_book(library)
    place = Place("ros", "basics", 3, 2, tier=4)
    [stored] = make_chunks([words(1)], place)
    await store_file(library, [words(1)], place=place)

    found = (await library.chunks([stored.id]))[stored.id]

    assert found.created_at
    assert (found.text, found.place, found.section, found.url) == (
        stored.text,
        stored.place,
        stored.section,
        stored.url,
    )


async def test_unknown_ids_are_left_out_and_order_is_kept(library: Library) -> None:
    await add_book(library)
    one, two, three = (await store_file(library, [words(1), words(2), words(3)])).created

    assert list(await library.chunks([three, "nowhere", one, three])) == [three, one]
    assert two not in await library.chunks([])


@pytest.mark.parametrize(
    ("at", "before", "after", "expected"),
    [
        pytest.param(2, 1, 1, [1, 2, 3], id="in the middle"),
        pytest.param(0, 1, 1, [0, 1], id="at the beginning"),
        pytest.param(4, 2, 5, [2, 3, 4], id="at the end"),
        pytest.param(2, 0, 0, [2], id="alone"),
    ],
)
async def test_neighbours_come_in_reading_order(
    library: Library, at: int, before: int, after: int, expected: list[int]
) -> None:
    await add_book(library)
    ids = (await store_file(library, [words(number) for number in range(5)])).created
    await store_file(library, [words(9)], place=Place("ros", "basics", 1, 2), source_file="b.md")

    near = await library.neighbours(ids[at], before=before, after=after)

    assert [chunk.index for chunk in near] == expected


async def test_unknown_chunk_has_no_neighbours(library: Library) -> None:
    assert await library.neighbours("nowhere") == []


async def test_more_ids_than_sqlite_takes_parameters(library: Library) -> None:
    await add_book(library)
    [known] = (await store_file(library, [words(1)])).created

    assert list(await library.chunks([*(str(number) for number in range(40_000)), known])) == [known]


async def test_outline_is_in_reading_order_with_headings(library: Library) -> None:
    await add_book(library)
    second, first = Place("ros", "advanced", 2, 1), Place("ros", "basics", 1, 1)
    for position, place, name in ((20, second, "b.md"), (10, first, "a.md")):
        await library.replace_file(
            "ros",
            FileRecord(name, "hash"),
            [make_lesson(place, position=position)],
            make_chunks([words(1), words(2)], place, source_file=name),
        )

    outline = await library.outline("ros")

    assert [(entry.module, entry.source_file) for entry in outline] == [("basics", "a.md"), ("advanced", "b.md")]
    assert outline[0].sections == ("Topics", "Part 0", "Part 1")
    assert (outline[0].chunk_count, outline[0].url) == (2, "https://example.org/topics")


@pytest.mark.parametrize(
    ("kind", "typed", "values"),
    [
        pytest.param("module", "", ["basics", "100%_sure"], id="all modules in reading order"),
        pytest.param("module", "BAS", ["basics"], id="in any letters"),
        pytest.param("module", "%", ["100%_sure"], id="a percent sign is no wildcard"),
        pytest.param("module", "c_s", [], id="nor is an underscore"),
        pytest.param("chapter", "2", ["2"], id="chapters"),
        pytest.param("lesson", "topics", ["1", "3"], id="lessons by their title"),
        pytest.param("section", "part", ["Part 0", "Part 1"], id="headings"),
        pytest.param("section", "nothing like it", [], id="none"),
    ],
)
async def test_what_is_typed_is_completed(library: Library, kind: str, typed: str, values: list[str]) -> None:
    await add_book(library)
    await add_book(library, "other")
    await store_file(library, [words(1), words(2)], place=Place("ros", "basics", 1, 1))
    await store_file(library, [words(1)], place=Place("ros", "100%_sure", 2, 3), source_file="b.md")
    await store_file(library, [words(1)], place=Place("other", "basement", 9, 9))

    found = await library.suggest(typed, books=["ros"], kind=kind)

    assert sorted(suggestion.value for suggestion in found) == sorted(values)

"""A file is replaced as one step, and chunks form whole chains whatever happens to their files."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import LibraryError
from core.model import Chunk, Place, parent_id
from core.store.database import Database, open_database
from core.store.library import FileRecord, Library
from tests.core.store.making import add_book, make_chunks, make_lesson, store_file, words

PLACE = Place("ros", "basics", 1, 1)


async def test_replacing_says_what_came_stayed_and_went(library: Library) -> None:
    await add_book(library)
    first = await store_file(library, [words(1), words(2), words(3)])

    second = await store_file(library, [words(1), words(3), words(4)])

    one, two, three = first.created
    assert second.kept == (one, three)
    assert second.deleted == (two,)
    assert len(second.created) == 1
    assert await library.stale("ros") == [two]
    texts = [chunk.text for chunk in await library.lesson(parent_id(PLACE))]
    assert texts == [words(1), words(3), words(4)]


async def test_chunk_that_stays_keeps_its_birth(library: Library, database: Database) -> None:
    await add_book(library)
    [kept] = (await store_file(library, [words(1)])).created
    async with database.write() as transaction:
        await transaction.execute("UPDATE chunks SET created_at = 'long ago', updated_at = 'long ago'")

    await store_file(library, [words(1), words(2)])

    chunk = (await library.chunks([kept]))[kept]
    assert chunk.created_at == "long ago"
    assert chunk.updated_at != "long ago"


async def test_id_that_comes_back_is_not_stale_any_more(library: Library) -> None:
    await add_book(library)
    await store_file(library, [words(1), words(2)])
    gone = (await store_file(library, [words(1)])).deleted

    await store_file(library, [words(1), words(2)])

    assert gone
    assert await library.stale() == []


async def test_embeddings_still_owed_are_not_lost_by_a_replacement(library: Library) -> None:
    await add_book(library)
    first = await store_file(library, [words(1), words(2)])
    await library.mark_pending(first.created)
    new = make_chunks([words(1), words(3)], PLACE)

    await store_file(library, [words(1), words(3)], pending=[new[1].id, "not there"])

    assert set(await library.pending("ros")) == {new[0].id, new[1].id}
    await library.clear_pending([new[0].id])
    assert await library.pending() == [new[1].id]


async def test_same_text_twice_in_a_lesson_makes_two_chunks(library: Library) -> None:
    await add_book(library)

    replaced = await store_file(library, [words(1), words(1), words(1)])

    assert len(set(replaced.created)) == 3


async def test_renamed_file_keeps_its_chunks_when_the_old_name_is_deleted(library: Library) -> None:
    await add_book(library)
    before = await store_file(library, [words(1), words(2)], source_file="old.md")

    after = await store_file(library, [words(1), words(2)], source_file="new.md")
    gone = await library.delete_files("ros", ["old.md"])

    assert after.kept == before.created
    assert gone == []
    assert await library.stale() == []
    assert list(await library.records("ros")) == ["new.md"]


async def test_file_that_loses_its_place_to_another_is_read_again(library: Library) -> None:
    await add_book(library)
    await store_file(library, [words(1)], source_file="first.md", file_hash="aaa")

    await store_file(library, [words(2)], source_file="second.md", file_hash="bbb")

    hashes = {name: record.file_hash for name, record in (await library.records("ros")).items()}
    assert hashes == {"first.md": "", "second.md": "bbb"}


async def test_a_source_is_vouched_for_unless_one_of_its_files_is_to_be_read_again(library: Library) -> None:
    await add_book(library)
    await store_file(library, [words(1)], source_file="first.md", file_hash="aaa")
    await library.note_source_stamp("ros", "as it is")
    assert await library.source_stamp("ros") == "as it is"

    await store_file(library, [words(2)], source_file="second.md", file_hash="bbb")
    await library.note_source_stamp("ros", "as it is now")

    assert await library.source_stamp("ros") == ""


async def test_records_tell_what_became_of_each_file(library: Library) -> None:
    await add_book(library)
    replaced = await store_file(library, [words(1), words(2)], file_hash="abc")
    await library.replace_file("ros", FileRecord("empty.md", "def"), [], [])

    records = await library.records("ros")

    assert records["a.md"].file_hash == "abc"
    assert records["a.md"].chunk_ids == replaced.created
    assert records["a.md"].places == (PLACE,)
    assert (records["empty.md"].chunk_ids, records["empty.md"].places) == ((), ())


def linked_elsewhere(chunks: Sequence[Chunk]) -> list[Chunk]:
    return [replace(chunks[0], next_id=chunks[2].id), *chunks[1:]]


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(lambda chunks: chunks[:2], id="the end is missing"),
        pytest.param(lambda chunks: chunks[1:], id="the beginning is missing"),
        pytest.param(lambda chunks: [chunks[0], chunks[2]], id="a gap"),
        pytest.param(linked_elsewhere, id="a link that skips"),
        pytest.param(lambda chunks: [*chunks, chunks[0]], id="an id twice"),
        pytest.param(lambda chunks: [replace(chunk, parent_id="x") for chunk in chunks], id="no lesson"),
        pytest.param(lambda chunks: [replace(chunk, source_file="b.md") for chunk in chunks], id="other file"),
    ],
)
async def test_broken_chain_is_refused_and_nothing_changes(
    library: Library, broken: Callable[[list[Chunk]], list[Chunk]]
) -> None:
    await add_book(library)
    before = await store_file(library, [words(9)])
    chunks = make_chunks([words(1), words(2), words(3)], PLACE)

    with pytest.raises(LibraryError, match=r"a\.md cannot be stored"):
        await library.replace_file("ros", FileRecord("a.md", "h"), [make_lesson(PLACE)], broken(chunks))

    assert list(await library.chunks(before.created)) == list(before.created)


async def test_reader_never_sees_half_a_file(library: Library) -> None:
    """While one task replaces a file over and over, every reading of its lesson is one of the versions."""
    await add_book(library)
    versions = [[words(10 * version + part) for part in range(3 + version)] for version in range(4)]
    await store_file(library, versions[0])
    is_done = asyncio.Event()

    async def replace_often() -> None:
        for texts in versions * 5:
            await store_file(library, texts)
        is_done.set()

    task = asyncio.create_task(replace_often())
    seen = []
    while not is_done.is_set():
        seen.append([chunk.text for chunk in await library.lesson(parent_id(PLACE))])
    await task

    assert len(seen) > 10
    assert all(texts in versions for texts in seen)


Edit = tuple[int, list[int] | None]
"""A file's number, and its new paragraphs; None deletes it."""

EDITS = st.lists(
    st.tuples(st.integers(0, 3), st.none() | st.lists(st.integers(0, 5), min_size=1, max_size=6)), max_size=12
)


@settings(max_examples=30, deadline=None)
@given(EDITS)
def test_any_sequence_of_edits_leaves_whole_chains_and_no_orphans(edits: list[Edit]) -> None:
    asyncio.run(check_edits(edits))


async def check_edits(edits: Sequence[Edit]) -> None:
    with TemporaryDirectory() as folder:
        async with open_database(Path(folder) / "x.db") as database:
            library = Library(database)
            await add_book(library)
            expected: dict[str, list[str]] = {}
            for number, paragraphs in edits:
                name = f"{number}.md"
                if paragraphs is None:
                    await library.delete_files("ros", [name])
                    expected.pop(name, None)
                else:
                    expected[name] = [words(paragraph) for paragraph in paragraphs]
                    place = Place("ros", "basics", 1, number)
                    await store_file(library, expected[name], place=place, source_file=name)
            await check_whole(library, expected)


async def check_whole(library: Library, expected: dict[str, list[str]]) -> None:
    chunks = {chunk.id: chunk async for batch in library.all_chunks("ros", batch=3) for chunk in batch}
    records = await library.records("ros")
    assert {name: [chunks[id].text for id in record.chunk_ids] for name, record in records.items()} == expected
    assert sum(len(record.chunk_ids) for record in records.values()) == len(chunks)
    assert not set(await library.stale()) & set(chunks)
    for chunk in chunks.values():
        if chunk.next_id is not None:
            assert chunks[chunk.next_id].previous_id == chunk.id
            assert chunks[chunk.next_id].index == chunk.index + 1

"""Books have one owner, are read by those who may, and leave nothing behind."""

from dataclasses import replace

import pytest

from core.errors import LibraryError, UnknownBook
from core.model import Book, Place
from core.store.database import Database
from core.store.library import Library
from tests.core.store.making import add_book, make_chunks, store_file, words

MINE, THEIRS = "slack:T1", "slack:T2"


async def test_books_are_told_with_their_counts(library: Library) -> None:
    await add_book(library)
    added = await store_file(library, [words(1), words(2), words(3)])
    await library.mark_pending(added.created[:2])

    [book] = await library.books(group=MINE)

    assert (book.lesson_count, book.chunk_count, book.pending_count) == (1, 3, 2)


async def test_group_sees_its_own_books_and_those_for_everyone(library: Library) -> None:
    await add_book(library, "mine", group=MINE)
    await add_book(library, "theirs", group=THEIRS)
    await add_book(library, "public")

    seen = {group: [book.id for book in await library.books(group=group)] for group in (MINE, THEIRS, None)}

    assert seen == {
        MINE: ["mine", "public"],
        THEIRS: ["public", "theirs"],
        None: ["mine", "public", "theirs"],
    }
    with pytest.raises(UnknownBook):
        await library.book("theirs", group=MINE)
    with pytest.raises(UnknownBook):
        await library.bind(MINE, None, "theirs")


async def test_passage_of_another_groups_book_cannot_be_read_by_its_id(library: Library) -> None:
    await add_book(library, "theirs", group=THEIRS)
    place = Place("theirs", "basics", 1, 1)
    await store_file(library, [words(1)], place=place)
    [chunk] = make_chunks([words(1)], place)

    assert await library.chunk(chunk.id, group=MINE) is None
    assert (await library.chunk(chunk.id, group=THEIRS)) is not None


@pytest.mark.parametrize("owner", [THEIRS, None])
async def test_book_cannot_be_taken_over_by_another_owner(library: Library, owner: str | None) -> None:
    await add_book(library, "ros", group=owner)

    with pytest.raises(LibraryError, match="already taken"):
        await library.save_book(Book("ros", "Mine now", group=MINE))

    assert (await library.book("ros", group=None)).title == "The book of ros"


async def test_saving_a_book_again_renews_what_is_said_about_it(library: Library) -> None:
    await add_book(library)
    before = await library.book("ros", group=None)
    await store_file(library, [words(1)])

    await library.save_book(replace(before, title="Robots", embedding_model="bge", dimension=384))

    after = await library.book("ros", group=None)
    assert (after.title, after.embedding_model, after.dimension) == ("Robots", "bge", 384)
    assert (after.created_at, after.chunk_count) == (before.created_at, 1)


async def test_deleted_book_leaves_only_what_the_index_owes(library: Library, database: Database) -> None:
    await add_book(library)
    await add_book(library, "other")
    added = await store_file(library, [words(1), words(2)])
    await store_file(library, [words(1)], place=Place("other"))
    await library.mark_pending(added.created)

    gone = await library.delete_book("ros")

    assert sorted(gone) == sorted(added.created) == await library.stale("ros")
    for table in ("files", "lessons", "chunks"):
        rows = await database.fetch_all(f"SELECT DISTINCT book FROM {table}")
        assert [row["book"] for row in rows] == ["other"]
    assert await library.pending() == []


async def test_channel_reads_its_own_book_else_its_groups(library: Library) -> None:
    await add_book(library, "one")
    await add_book(library, "two")
    await library.bind(MINE, None, "one")
    await library.bind(MINE, "robots", "two")

    assert await library.binding(MINE, "robots") == "two"
    assert await library.binding(MINE, "other") == "one"
    assert await library.binding(MINE, None) == "one"
    assert await library.binding(THEIRS, "robots") is None
    await library.bind(MINE, "robots", None)
    assert await library.binding(MINE, "robots") == "one"

"""A question is answered from the right books, and never from another group's."""

from dataclasses import replace

import pytest

from core.errors import LibraryError, UnknownBook
from core.model import Filters, Question, SessionKey
from core.store.library import Library
from core.store.sessions import Sessions
from tests.core.store.making import add_book

HERE = SessionKey("slack", "slack:T1", "robots", "1")
OTHER = replace(HERE, group="slack:T2")


@pytest.fixture
async def books(library: Library) -> None:
    await add_book(library, "public", title="For everyone")
    await add_book(library, "mine", group=HERE.group, title="My Notes")
    await add_book(library, "theirs", group=OTHER.group)


async def scoped(library: Library, sessions: Sessions, *asked: str, key: SessionKey = HERE) -> tuple[str, ...]:
    question = Question("What is a node?", key=key, filters=Filters(books=asked))
    return (await library.scope(question, await sessions.open(question))).books


@pytest.mark.usefixtures("books")
async def test_without_a_choice_every_readable_book_is_searched(library: Library, sessions: Sessions) -> None:
    assert await scoped(library, sessions) == ("mine", "public")
    assert await scoped(library, sessions, key=OTHER) == ("public", "theirs")


@pytest.mark.usefixtures("books")
async def test_nearer_choice_wins(library: Library, sessions: Sessions) -> None:
    """Asked for, else the session's, else the channel's, else the group's."""
    await library.bind(HERE.group, None, "public")
    by_group = await scoped(library, sessions)
    await library.bind(HERE.group, HERE.channel, "mine")
    by_channel = await scoped(library, sessions)
    await sessions.use_book(HERE, "public")
    by_session = await scoped(library, sessions)
    asked = await scoped(library, sessions, "mine")

    assert (by_group, by_channel, by_session, asked) == (("public",), ("mine",), ("public",), ("mine",))
    assert await scoped(library, sessions, key=replace(HERE, channel="elsewhere")) == ("public",)


@pytest.mark.usefixtures("books")
@pytest.mark.parametrize(
    ("asked", "found"),
    [
        pytest.param(("mine",), ("mine",), id="by id"),
        pytest.param(("MINE",), ("mine",), id="id in other letters"),
        pytest.param(("my notes",), ("mine",), id="by title"),
        pytest.param(("mine", "public", "My Notes"), ("mine", "public"), id="several, one twice"),
    ],
)
async def test_book_is_asked_for_by_id_or_title(
    library: Library, sessions: Sessions, asked: tuple[str, ...], found: tuple[str, ...]
) -> None:
    assert await scoped(library, sessions, *asked) == found


@pytest.mark.usefixtures("books")
@pytest.mark.parametrize("asked", [("theirs",), ("mine", "theirs"), ("The book of theirs",), ("nowhere",)])
async def test_book_of_another_group_is_unknown_and_not_listed(
    library: Library, sessions: Sessions, asked: tuple[str, ...]
) -> None:
    with pytest.raises(UnknownBook) as caught:
        await scoped(library, sessions, *asked)

    assert caught.value.details["books"] == ["mine", "public"]


@pytest.mark.usefixtures("books")
async def test_book_taken_away_leaves_no_choice_behind(library: Library, sessions: Sessions) -> None:
    await library.bind(HERE.group, HERE.channel, "mine")
    await sessions.use_book(HERE, "mine")

    await library.delete_book("mine")

    assert await scoped(library, sessions) == ("public",)
    assert await library.binding(HERE.group, HERE.channel) is None


@pytest.mark.usefixtures("books")
async def test_session_that_names_another_groups_book_does_not_open_it(
    library: Library, sessions: Sessions
) -> None:
    question = Question("What is a node?", key=HERE)
    session = replace(await sessions.open(question), book="theirs")

    assert (await library.scope(question, session)).books == ("mine", "public")


async def test_group_without_any_book_is_told_how_to_add_one(library: Library, sessions: Sessions) -> None:
    await add_book(library, "theirs", group=OTHER.group)

    with pytest.raises(LibraryError, match="footnote ingest PATH --book ID"):
        await scoped(library, sessions)


@pytest.mark.usefixtures("books")
async def test_other_filters_stay_as_they_were_asked(library: Library, sessions: Sessions) -> None:
    asked = Filters(module="basics", chapter_min=2, tier=3)
    question = Question("What is a node?", key=HERE, filters=asked)

    scope = await library.scope(question, await sessions.open(question))

    assert scope == replace(asked, books=("mine", "public"))

"""What members and leaders can ask for besides answers, on real stores."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from bot.limits import Allowance
from bot.member import Member
from bot.uploads import to_book_id
from core.errors import LibraryError, RateLimited, UnknownBook
from core.model import Filters, Question, SearchQuery
from core.store.database import Database
from core.store.feedback import ReportedQuestion, Verdict
from core.store.library import Library, SuggestKind
from tests.bot.group import CHUNKS, BotParts, add_small_book, cited, make_parts
from tests.bot.scripted import ScriptedPlatform, to_incoming, to_key
from tests.core.store.making import add_book

ANN = Member("ann", "Ann", to_key())
STRANGER = Member("eve", "Eve", to_key(group="test:2"))


@pytest.fixture
async def parts(database: Database, tmp_path: Path) -> BotParts:
    await add_small_book(database)
    return make_parts(database, tmp_path, cited("Topics [1][2].", 1, 2))


async def answer(parts: BotParts, event: str = "e1") -> None:
    """Have one question answered, without a loop: the work of one turn."""
    platform = ScriptedPlatform()
    parts.turns.register("test", platform.open)
    await parts.turns.receive(to_incoming(event))
    work = next(iter(parts.turns._works.values()))
    await work.finish()


async def test_search_finds_passages_and_counts_as_a_use(parts: BotParts) -> None:
    results = await parts.desk.search(ANN, SearchQuery("named channel"))

    assert [hit.chunk.id for hit in results.hits] == [CHUNKS[1].id]
    mine, group = await parts.desk.usage(ANN)
    assert (mine.searches, group.searches) == (1, 1)


async def test_search_over_the_limit_is_refused_with_the_wait(parts: BotParts, database: Database) -> None:
    parts.desk._limits._allowance = replace(parts.desk._limits._allowance, member_per_minute=1)
    await parts.desk.search(ANN, SearchQuery("named channel"))

    with pytest.raises(RateLimited) as caught:
        await parts.desk.search(ANN, SearchQuery("named channel"))

    assert 50 < (caught.value.retry_after or 0) <= 60


async def test_suggestions_come_from_readable_books_only(parts: BotParts, database: Database) -> None:
    await add_book(Library(database), "mine", group="test:1")

    assert [each.value for each in await parts.desk.suggest(ANN, "ba", SuggestKind.MODULE, None)] == ["basics"]
    assert await parts.desk.suggest(STRANGER, "ba", SuggestKind.MODULE, "mine") == []
    assert (await parts.desk.sections(ANN, "part 3", "ros"))[0] == (
        "Topics and messages › Part 3",
        CHUNKS[0].parent_id,
    )


async def test_books_are_bound_to_a_channel_or_the_whole_group(parts: BotParts, database: Database) -> None:
    await add_book(Library(database), "other", title="The other book")

    await parts.desk.use_book(ANN, "the other BOOK")
    assert await parts.desk.current_books(ANN) == ("other",)
    await parts.desk.use_book(ANN, None)
    assert set(await parts.desk.current_books(ANN)) == {"ros", "other"}
    with pytest.raises(UnknownBook):
        await parts.desk.use_book(ANN, "nothing like it")


async def test_book_of_a_group_can_be_removed_by_it_alone(parts: BotParts, database: Database) -> None:
    await add_book(Library(database), "mine", group="test:1")

    with pytest.raises(UnknownBook):
        await parts.desk.remove_book(STRANGER, "mine")
    with pytest.raises(LibraryError, match="every group"):
        await parts.desk.remove_book(ANN, "ros")
    await parts.desk.remove_book(ANN, "mine")

    assert [book.id for book in await parts.desk.books(ANN)] == ["ros"]


@pytest.mark.parametrize("name", ["../../etc/passwd.md", "C:\\books\\passwd.md"])
async def test_uploaded_file_stays_in_its_folder(parts: BotParts, tmp_path: Path, name: str) -> None:
    job = await parts.desk.add_file(ANN, name, b"# Words", title="My book")

    assert Path(job.source) == tmp_path / "uploads" / to_book_id("My book", "test:1") / "passwd.md"


@pytest.mark.parametrize("link", ["ftp://example.org", "/etc/passwd", "file:///etc/passwd", "https://"])
async def test_link_must_be_a_web_address(parts: BotParts, link: str) -> None:
    with pytest.raises(LibraryError, match="https://"):
        await parts.desk.add_link(ANN, link)


def test_two_groups_never_share_the_id_of_a_book() -> None:
    assert to_book_id("Robots & Co.", "test:1") != to_book_id("Robots & Co.", "test:2")
    assert to_book_id("Robots & Co.", "test:1").startswith("robots-co-")


async def test_verdict_is_found_by_any_handle_and_only_in_its_group(parts: BotParts, database: Database) -> None:
    await answer(parts)
    row = await database.fetch_one("SELECT nonce, request_id FROM turns")
    assert row is not None

    for handle in ("e1", row["nonce"], row["request_id"], "message-of-e1"):
        assert await parts.desk.rate(ANN, handle, Verdict.DOWN, "too short")
    assert not await parts.desk.rate(STRANGER, "e1", Verdict.UP)

    report = await parts.desk.report(ANN)
    assert report.down_votes == 1
    assert report.down_voted[0].comments == ("too short",)
    assert (await parts.desk.report(STRANGER)).answered == 0


async def test_report_counts_and_quotes_only_what_was_asked_publicly(parts: BotParts) -> None:
    parts.turns.register("test", ScriptedPlatform().open)
    private = to_key(thread="private")
    for event, key in (("e1", to_key()), ("e2", private), *((f"p{number}", private) for number in range(20))):
        await parts.turns.receive(to_incoming(event, "What is a node?" if event < "f" else event, key=key))
    for work in list(parts.turns._works.values()):
        await work.finish()
    await parts.desk.rate(ANN, "e1", Verdict.DOWN, "said in public")
    for event in ("e2", *(f"p{number}" for number in range(20))):
        await parts.desk.rate(ANN, event, Verdict.DOWN, "said privately")

    async def is_private(asked: ReportedQuestion) -> bool:
        return asked.thread == "private"

    report = await parts.desk.report(ANN, is_private=is_private)

    (asked,) = report.down_voted
    assert (asked.text, asked.times, asked.comments) == ("What is a node?", 1, ("said in public",))


async def test_last_source_is_the_last_answers(parts: BotParts) -> None:
    await answer(parts)

    found = await parts.desk.answered.last_source(ANN, 2)
    assert found is not None
    assert found.id == CHUNKS[1].id
    assert await parts.desk.answered.last_source(ANN, 7) is None


def is_in_files(folder: Path, words: bytes) -> bool:
    return any(words in path.read_bytes() for path in folder.glob("footnote.db*"))


async def test_forgetting_takes_every_word_out_of_the_file(
    parts: BotParts, database: Database, tmp_path: Path
) -> None:
    parts.turns.register("test", ScriptedPlatform().open)
    words = "a very private xylophone"
    incoming = replace(to_incoming("e1"), question=Question(words, key=to_key()))
    await parts.turns.receive(incoming)
    await next(iter(parts.turns._works.values())).finish()
    history = await parts.desk.history(ANN)
    assert history is not None

    assert await parts.desk.forget(ANN)

    assert await parts.desk.history(ANN) is None
    assert not await parts.desk.forget(ANN)
    assert not await asyncio.to_thread(is_in_files, tmp_path, b"xylophone")
    assert not await parts.turns.receive(incoming), "a forgotten event is still known"


async def test_forgetting_a_question_that_was_never_answered_takes_its_words_out_of_the_file(
    database: Database, tmp_path: Path
) -> None:
    parts = make_parts(database, tmp_path, allowance=Allowance(member_per_minute=1))
    parts.turns.register("test", ScriptedPlatform().open)
    for event, words in (("e1", "What is a node?"), ("e2", "a very private xylophone")):
        incoming = replace(to_incoming(event), question=Question(words, key=to_key(thread=event)))
        await parts.turns.receive(incoming)
    for work in list(parts.turns._works.values()):
        await work.finish()
    refused = replace(ANN, key=to_key(thread="e2"))
    assert await parts.desk.history(refused) is None

    assert await parts.desk.forget(refused)

    assert not await asyncio.to_thread(is_in_files, tmp_path, b"xylophone")


async def test_reply_on_its_way_is_forgotten_when_it_arrives(parts: BotParts, database: Database) -> None:
    platform = ScriptedPlatform()
    parts.turns.register("test", platform.open)
    await parts.turns.receive(to_incoming("e1"))
    work = next(iter(parts.turns._works.values()))

    await parts.desk.forget(ANN)
    await work.finish()

    assert platform.text("e1") == "Topics [1][2]."
    row = await database.fetch_one("SELECT question, reply, state FROM turns")
    assert row is not None
    assert tuple(row) == ("{}", None, "done")


async def test_question_forgotten_while_it_waited_is_not_remembered_when_it_is_answered(
    parts: BotParts, database: Database, tmp_path: Path
) -> None:
    parts.turns.register("test", ScriptedPlatform().open)
    await parts.turns.receive(to_incoming("e1", "a very private xylophone"))
    work = next(iter(parts.turns._works.values()))

    await parts.desk.forget(ANN)
    await work.finish()
    await database.scrub_if_owed()

    assert not await asyncio.to_thread(is_in_files, tmp_path, b"xylophone")


async def test_filters_reach_the_search_inside_the_scope(parts: BotParts) -> None:
    await parts.desk.search(ANN, SearchQuery("node graph", Filters(chapter_min=1, chapter_max=2)))

    assert parts.searcher.asked[0][1] == Filters(books=("ros",), chapter_min=1, chapter_max=2)

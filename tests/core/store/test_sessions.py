"""Conversations are found again, kept apart by group, kept short for the model, and forgotten for real."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import QuestionError, UnknownBook, UnknownSession
from core.model import (
    Answer,
    Citation,
    Confidence,
    ConfidenceLevel,
    Place,
    Question,
    Retrieval,
    Session,
    SessionKey,
)
from core.store.database import Database
from core.store.files import DATABASE_NAME, log_files
from core.store.library import Library
from core.store.sessions import Sessions
from tests.core.store.making import add_book, make_chunks, words

KEY = SessionKey("discord", "discord:1", "general", "thread-1")
ELSEWHERE = replace(KEY, group="discord:2")


def answer(text: str = "Nodes publish on topics [1].", *, session_id: str = "") -> Answer:
    chunk = make_chunks([words(1)], Place("ros"))[0]
    confidence = Confidence(0.9, ConfidenceLevel.HIGH)
    return Answer(text, (Citation(1, chunk, "Nodes publish.", 0.9),), confidence, session_id, model_used="luna")


async def talk(sessions: Sessions, session: Session, *, turns: int, first: int = 1) -> None:
    for number in range(first, first + turns):
        await sessions.remember(
            session.id,
            question=Question(f"What is thing {number}?", key=session.key),
            answer=answer(f"It is thing {number} [1]."),
            retrievals=[Retrieval(f"thing {number}", 3, 0.5)],
        )


async def date(database: Database, session: Session, moment: str) -> None:
    """Let *session* have been written in last at *moment*."""
    async with database.write() as transaction:
        await transaction.execute("UPDATE sessions SET updated_at = ? WHERE id = ?", (moment, session.id))


async def test_same_place_is_the_same_session(sessions: Sessions) -> None:
    first = await sessions.open(Question("Hello?", key=KEY))
    again = await sessions.open(Question("And?", key=KEY))
    other = await sessions.open(Question("And?", key=replace(KEY, thread="thread-2")))

    assert first.id == again.id
    assert first.id != other.id
    assert first.turn_count == 0


async def test_two_first_questions_at_once_make_one_session(sessions: Sessions) -> None:
    opened = await asyncio.gather(*(sessions.open(Question("Hello?", key=KEY)) for _ in range(8)))

    assert len({session.id for session in opened}) == 1


async def test_session_goes_on_by_its_id_from_another_place_of_its_group(sessions: Sessions) -> None:
    first = await sessions.open(Question("Hello?", key=KEY))

    again = await sessions.open(Question("And?", key=replace(KEY, thread="x"), session_id=first.id))

    assert again.id == first.id


async def test_no_way_leads_into_another_groups_session(sessions: Sessions) -> None:
    mine = await sessions.open(Question("Hello?", key=KEY))
    await talk(sessions, mine, turns=1)
    stranger = ELSEWHERE.group

    with pytest.raises(UnknownSession):
        await sessions.open(Question("And?", key=ELSEWHERE, session_id=mine.id))
    with pytest.raises(UnknownSession):
        await sessions.get(mine.id, group=stranger)
    with pytest.raises(UnknownSession):
        await sessions.messages(mine.id, group=stranger)
    with pytest.raises(UnknownSession):
        await sessions.retrievals(mine.id, group=stranger)
    assert await sessions.find(ELSEWHERE) is None
    assert await sessions.list(group=stranger) == []
    assert await sessions.forget(mine.id, group=stranger) is False
    assert len(await sessions.messages(mine.id, group=KEY.group)) == 2


async def test_turn_is_remembered_with_what_it_was_about(sessions: Sessions) -> None:
    session = await sessions.open(Question("Hello?", key=KEY))
    question = Question("Is that right?", key=KEY, selected_text="Nodes share memory.")

    await sessions.remember(
        session.id, question=question, answer=answer(), retrievals=[Retrieval("nodes", 4, 0.61)]
    )

    history = await sessions.recall(session.id)
    said, answered = history.messages
    assert (said.content, said.selected_text) == ("Is that right?", "Nodes share memory.")
    assert (answered.confidence, len(answered.cited_chunk_ids)) == (0.9, 1)
    assert history.turns[0].selected_text == "Nodes share memory."
    assert history.turns[0].cited_chunk_ids == answered.cited_chunk_ids
    assert (history.session.turn_count, history.session.model) == (1, "luna")
    searched = await sessions.retrievals(session.id, group=KEY.group)
    assert [(each.query, each.results_count, each.average_similarity) for each in searched] == [("nodes", 4, 0.61)]


@pytest.mark.parametrize(
    ("turns", "live", "archived"),
    [
        pytest.param(24, 48, 0, id="one turn below the window"),
        pytest.param(25, 50, 0, id="the window is full"),
        pytest.param(26, 50, 2, id="one turn beyond"),
    ],
)
async def test_live_window_holds_fifty_messages_and_the_rest_is_archived(
    sessions: Sessions, database: Database, turns: int, live: int, archived: int
) -> None:
    session = await sessions.open(Question("Hello?", key=KEY))

    await talk(sessions, session, turns=turns)

    history = await sessions.recall(session.id)
    rows = await database.fetch_all("SELECT content FROM messages WHERE archived = 1 ORDER BY position")
    assert len(history.messages) == live
    assert history.messages[-1].content == f"It is thing {turns} [1]."
    assert len(rows) == archived
    assert len(await sessions.messages(session.id, group=KEY.group)) == turns * 2


@pytest.mark.parametrize(("turns", "given"), [(19, 19), (20, 20), (21, 20)])
async def test_model_is_given_the_newest_twenty_turns(sessions: Sessions, turns: int, given: int) -> None:
    session = await sessions.open(Question("Hello?", key=KEY))

    await talk(sessions, session, turns=turns)

    kept = (await sessions.recall(session.id)).turns
    assert len(kept) == given
    assert kept[-1].question == f"What is thing {turns}?"


async def test_model_is_given_fewer_turns_where_they_are_long(database: Database) -> None:
    sessions = Sessions(database, model="luna", token_budget=100)
    session = await sessions.open(Question("Hello?", key=KEY))
    for number in range(3):
        await sessions.remember(
            session.id,
            question=Question(f"Question {number}?", key=KEY),
            answer=answer("robot " * 30),
            retrievals=[],
        )

    assert [turn.question for turn in (await sessions.recall(session.id)).turns] == ["Question 1?", "Question 2?"]


@pytest.mark.parametrize(("length", "is_taken"), [(0, False), (1, True), (200, True), (201, False)])
async def test_summary_has_its_limits(sessions: Sessions, length: int, is_taken: bool) -> None:
    session = await sessions.open(Question("Hello?", key=KEY))

    if is_taken:
        await sessions.summarise(session.id, "x" * length)
    else:
        with pytest.raises(QuestionError, match=str(length)):
            await sessions.summarise(session.id, "x" * length)

    assert (await sessions.recall(session.id)).topic_summary == ("x" * length if is_taken else None)


async def test_idle_session_is_archived_and_comes_back_whole(sessions: Sessions) -> None:
    session = await sessions.open(Question("Hello?", key=KEY))
    await talk(sessions, session, turns=2)

    assert await sessions.archive_idle(older_than_seconds=3600) == 0
    assert await sessions.archive_idle(older_than_seconds=-1) == 1
    assert (await sessions.get(session.id, group=KEY.group)).is_archived
    back = await sessions.open(Question("And?", key=KEY))

    assert (back.id, back.is_archived) == (session.id, False)
    assert len((await sessions.recall(session.id)).turns) == 2


async def test_forgotten_words_are_in_no_file_any_more(sessions: Sessions, tmp_path: Path) -> None:
    session = await sessions.open(Question("Hello?", key=KEY))
    other = await sessions.open(Question("Hello?", key=replace(KEY, thread="other")))
    for number in range(30):
        await sessions.remember(
            session.id,
            question=Question(f"Who is zebrafinch {number}?", key=KEY, selected_text="zebrafinch " * 40),
            answer=answer("A zebrafinch is a bird. " * 30),
            retrievals=[Retrieval("zebrafinch", 1, 0.5)],
        )
    await talk(sessions, other, turns=1)

    assert await sessions.forget(session.id, group=KEY.group) is True

    path = tmp_path / DATABASE_NAME
    files = [file for file in (path, *log_files(path)) if file.exists()]
    assert not any(b"zebrafinch" in file.read_bytes() for file in files)
    assert len((await sessions.recall(other.id)).turns) == 1
    with pytest.raises(UnknownSession):
        await sessions.recall(session.id)


async def test_answer_that_comes_late_does_not_bring_back_what_was_forgotten(sessions: Sessions) -> None:
    session = await sessions.open(Question("Hello?", key=KEY))
    await sessions.forget(session.id, group=KEY.group)

    await talk(sessions, session, turns=1)

    assert await sessions.list(group=None) == []


async def test_sessions_older_than_the_retention_are_deleted(sessions: Sessions, database: Database) -> None:
    old = await sessions.open(Question("Hello?", key=KEY))
    new = await sessions.open(Question("Hello?", key=replace(KEY, thread="new")))
    await talk(sessions, new, turns=1)
    await date(database, old, "2026-01-01T00:00:00.000Z")

    assert await sessions.delete_before("2026-01-01T00:00:00.000Z") == 0
    assert await sessions.delete_before("2026-01-01T00:00:00.001Z") == 1

    assert [session.id for session in await sessions.list(group=KEY.group)] == [new.id]


async def test_session_reads_the_book_it_was_told_to(sessions: Sessions, library: Library) -> None:
    await add_book(library, "ros")
    await add_book(library, "secret", group=ELSEWHERE.group)

    session = await sessions.use_book(KEY, "ros")

    assert session.book == "ros"
    with pytest.raises(UnknownBook):
        await sessions.use_book(KEY, "secret")
    assert (await sessions.use_book(KEY, None)).book is None


async def test_sessions_are_listed_the_latest_first(sessions: Sessions, database: Database) -> None:
    first = await sessions.open(Question("Hello?", key=KEY))
    second = await sessions.open(Question("Hello?", key=replace(KEY, thread="second")))
    await talk(sessions, first, turns=1)
    await talk(sessions, second, turns=1)
    await date(database, second, "2026-01-01T00:00:00.000Z")

    assert [session.id for session in await sessions.list(group=KEY.group)] == [first.id, second.id]
    assert len(await sessions.list(group=KEY.group, limit=1)) == 1


async def test_session_in_which_nothing_was_answered_is_not_listed(sessions: Sessions) -> None:
    await sessions.open(Question("Hello?", key=KEY))

    assert await sessions.list(group=KEY.group) == []


@pytest.mark.parametrize("max_turns", [1, 3])
async def test_no_more_turns_are_recalled_than_the_operator_allows(database: Database, max_turns: int) -> None:
    sessions = Sessions(database, model="luna", max_turns=max_turns)
    session = await sessions.open(Question("Hello?", key=KEY))

    await talk(sessions, session, turns=4)

    turns = (await sessions.recall(session.id)).turns
    assert [turn.question for turn in turns] == [f"What is thing {n}?" for n in range(5 - max_turns, 5)]


async def test_session_whose_book_was_removed_reads_what_there_is(sessions: Sessions, library: Library) -> None:
    await add_book(library, "ros")
    session = await sessions.use_book(KEY, "ros")

    await library.delete_book("ros")

    assert (await sessions.get(session.id, group=KEY.group)).book is None


async def test_turn_asked_again_under_its_event_takes_the_place_of_the_first(sessions: Sessions) -> None:
    session = await sessions.open(Question("Hello?", key=KEY))
    await talk(sessions, session, turns=1)
    question = Question("Why?", key=KEY, event_id="discord:7")
    found = [Retrieval("why", 3, 0.5)]
    await sessions.remember(session.id, question=question, answer=answer("Once [1]."), retrievals=[*found, *found])
    await talk(sessions, session, turns=1, first=2)

    await sessions.remember(session.id, question=question, answer=answer("Again [1]."), retrievals=found)

    said = [message.content for message in await sessions.messages(session.id, group=None)]
    asked = [
        "What is thing 1?",
        "It is thing 1 [1].",
        "Why?",
        "Again [1].",
        "What is thing 2?",
        "It is thing 2 [1].",
    ]
    assert said == asked
    assert (await sessions.get(session.id, group=None)).turn_count == 3
    queries = [search.query for search in await sessions.retrievals(session.id, group=None)]
    assert sorted(queries) == ["thing 1", "thing 2", "why"]


async def test_question_asked_again_does_not_follow_from_itself(sessions: Sessions) -> None:
    session = await sessions.open(Question("Hello?", key=KEY))
    await talk(sessions, session, turns=1)
    question = Question("Why?", key=KEY, event_id="discord:7")
    await sessions.remember(session.id, question=question, answer=answer(), retrievals=())

    history = await sessions.recall(session.id, apart_from="discord:7")

    assert [turn.question for turn in history.turns] == ["What is thing 1?"]
    assert history.session.turn_count == 1
    assert len((await sessions.recall(session.id, apart_from="discord:8")).turns) == 2


async def test_same_event_is_another_turn_in_another_session(sessions: Sessions) -> None:
    here = await sessions.open(Question("Hello?", key=KEY))
    there = await sessions.open(Question("Hello?", key=ELSEWHERE))
    question = Question("Why?", key=KEY, event_id="discord:7")

    for session in (here, there):
        await sessions.remember(session.id, question=question, answer=answer(), retrievals=())

    assert [len((await sessions.recall(each.id)).turns) for each in (here, there)] == [1, 1]

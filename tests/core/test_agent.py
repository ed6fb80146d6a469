"""The story of one question, told by a scripted writer over the real store."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.agent import Agent
from core.errors import LibraryError, UnknownBook
from core.model import AnswerEvent, Draft, Filters, Question, Stage, StageEvent, Task, TextEvent
from core.store.database import Database, open_database
from core.store.library import Library
from core.store.sessions import Sessions
from tests.core.answering.making import make_found
from tests.core.store.making import add_book
from tests.empty_database import put_empty_database

CLAIM = "A node does one job in a ROS 2 system."


class ScriptedWriter:
    """Writes the same sentence each time and keeps what it was asked."""

    model = "scripted"

    def __init__(self) -> None:
        self.tasks: list[Task] = []

    async def write(self, task: Task) -> AsyncIterator[StageEvent | TextEvent | Draft]:
        self.tasks.append(task)
        yield StageEvent(Stage.RETRIEVING)
        yield StageEvent(Stage.GENERATING)
        yield TextEvent(CLAIM)
        found = make_found([CLAIM])
        yield Draft(
            text=f"{CLAIM} [1]",
            chunks=found,
            answerability=0.95,
            model=self.model,
            quotes={1: CLAIM},
            is_everything=True,
        )


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with open_database(await put_empty_database(tmp_path / "footnote.db")) as opened:
        yield opened


@pytest.fixture
def writer() -> ScriptedWriter:
    return ScriptedWriter()


@pytest.fixture
def agent(database: Database, writer: ScriptedWriter) -> Agent:
    return Agent(
        sessions=Sessions(database, model="scripted"),
        library=Library(database),
        writer=writer,
        top_k=8,
        similarity_threshold=0.2,
    )


async def test_every_stage_is_told_in_order_and_the_answer_comes_last(agent: Agent, database: Database) -> None:
    await add_book(Library(database))

    events = [event async for event in agent.ask(Question("What is a node?"))]

    stages = [event.stage for event in events if isinstance(event, StageEvent)]
    assert stages == [
        Stage.RECEIVED,
        Stage.VALIDATED,
        Stage.RETRIEVING,
        Stage.GENERATING,
        Stage.FORMATTING,
        Stage.COMPLETED,
    ]
    assert isinstance(events[-1], AnswerEvent)
    assert [citation.quote for citation in events[-1].answer.citations] == [CLAIM]


async def test_the_next_question_of_a_session_knows_the_turn_before(
    agent: Agent, database: Database, writer: ScriptedWriter
) -> None:
    await add_book(Library(database))
    first = await agent.answer(Question("What is a node?"))

    await agent.answer(Question("Why?", session_id=first.session_id, key=writer.tasks[0].question.key))

    assert [turn.question for turn in writer.tasks[1].history.turns] == ["What is a node?"]
    assert writer.tasks[1].history.turns[0].cited_chunk_ids == (first.citations[0].chunk.id,)


async def test_a_conversation_is_summed_up_from_its_fifth_turn_on(
    agent: Agent, database: Database, writer: ScriptedWriter
) -> None:
    await add_book(Library(database))
    first = await agent.answer(Question("What is a node?"))
    key = writer.tasks[0].question.key

    for asked in ("Which topics exist?", "What is a lidar?", "How do services wait?", "What is odometry?", "Why?"):
        await agent.answer(Question(asked, session_id=first.session_id, key=key))

    assert [task.history.topic_summary is not None for task in writer.tasks] == [False] * 5 + [True]
    assert "lidar" in str(writer.tasks[-1].history.topic_summary)


@pytest.mark.parametrize(
    ("asked", "numbers"),
    [
        pytest.param(Question("What is a node?"), (8, 0.2), id="the operator's numbers by default"),
        pytest.param(
            Question("What is a node?", top_k=3, similarity_threshold=0.5), (3, 0.5), id="the question's own first"
        ),
    ],
)
async def test_numbers_of_the_search(
    agent: Agent, database: Database, writer: ScriptedWriter, asked: Question, numbers: tuple[int, float]
) -> None:
    await add_book(Library(database))

    await agent.answer(asked)

    question = writer.tasks[0].question
    assert (question.top_k, question.similarity_threshold) == numbers


async def test_library_without_a_book_says_how_to_add_one(agent: Agent) -> None:
    with pytest.raises(LibraryError, match="ingest"):
        await agent.answer(Question("What is a node?"))


async def test_another_groups_book_cannot_be_asked(
    agent: Agent, database: Database, writer: ScriptedWriter
) -> None:
    await add_book(Library(database), "ours")
    await add_book(Library(database), "theirs", group="slack:T01")

    with pytest.raises(UnknownBook):
        await agent.answer(Question("What is a node?", filters=Filters(books=("theirs",))))

    assert writer.tasks == []

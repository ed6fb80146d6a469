"""The whole core with a model: a real book, a real store, and a conversation that goes on."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from time import perf_counter
from uuid import uuid4

import pytest
import pytest_asyncio

from core.ingestion.request import IngestRequest
from core.model import Question, SessionKey
from core.settings import Settings
from core.wiring import Core, open_core
from tests.core.answering.passages import SECTIONS
from tests.fakes.llm_server import LLMServer
from tests.fakes.llm_steps import Step, failing, searching

pytestmark = [pytest.mark.models, pytest.mark.asyncio(loop_scope="module")]

ANSWER = "The default depth is 10 [1]."


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server() -> AsyncIterator[LLMServer]:
    async with LLMServer() as running:
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def core(server: LLMServer, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Core]:
    folder = tmp_path_factory.mktemp("conversation")
    book = _written(folder / "qos.md")
    settings = Settings(
        data_dir=folder / "data",
        openai_base_url=server.openai_url,
        openai_price_input=1.0,
        openai_price_output=2.0,
    )
    async with open_core(settings) as opened:
        job = await opened.ingestion.ingest(IngestRequest(str(book), "robots"))
        assert job.error_message is None
        yield opened


@pytest.fixture(autouse=True)
def honest(server: LLMServer) -> None:
    """Each test begins with a server that searches and then says the depth."""
    server.chats.clear()
    server.refused.clear()
    server.default = lambda body: (
        Step(text=ANSWER) if body["messages"][-1]["role"] == "tool" else searching("default depth")
    )


def a_place() -> SessionKey:
    return SessionKey("test", "group", "channel", uuid4().hex)


async def test_an_answer_comes_with_its_footnote_tokens_and_cost(core: Core) -> None:
    answer = await core.agent.answer(Question("What is the default depth?", key=a_place()))

    assert answer.text == ANSWER
    assert answer.citations[0].quote == "The default depth is 10."
    assert answer.citations[0].chunk.page_title == "Quality of service"
    assert (answer.model_used, answer.tokens_used, answer.cost_usd) == ("gpt-6-luna", 240, 0.00028)


@pytest.mark.parametrize("may_use_model", [True, False], ids=["model", "extractive"])
async def test_a_book_of_one_passage_is_answered_with_a_disclaimer(core: Core, may_use_model: bool) -> None:
    question = Question("What is the default depth?", key=a_place(), may_use_model=may_use_model)

    answer = await core.agent.answer(question)

    assert (await core.library.book("robots", group=None)).chunk_count == 1
    assert (answer.confidence.chunk_count, str(answer.confidence.level)) == (1, "low")
    assert answer.confidence.score > 0.75, "only the number of passages keeps it low"


async def test_the_first_event_comes_at_once(core: Core) -> None:
    started = perf_counter()

    events = core.agent.ask(Question("What is the default depth?", key=a_place()))
    await anext(events)

    assert perf_counter() - started < 0.1
    async for _ in events:
        pass


async def test_fourteen_turns_stay_within_the_budget_and_keep_their_thread(core: Core, server: LLMServer) -> None:
    key = a_place()
    for number in range(14):
        padding = "please explain it in great detail " * 55
        await core.agent.answer(Question(f"What is the default depth, part {number}? {padding}", key=key))

    sent = server.chats[-1]["messages"]
    roles = [message["role"] for message in sent]
    assert roles[0] == "system"
    assert "part 12?" in str(sent), "the newest turns are given"
    assert "part 0?" not in str(sent), "the oldest ones no longer fit"
    assert "Earlier in this conversation" in str(sent[-3]), "but the summary stands for them"
    assert sum(len(str(message.get("content"))) for message in sent) / 4 < 9000
    assert not server.refused


async def test_a_model_that_is_away_leaves_the_book_to_be_quoted(core: Core, server: LLMServer) -> None:
    server.default = lambda body: failing(500)

    answer = await core.agent.answer(Question("What is the default depth?", key=a_place()))

    assert "default depth is 10" in answer.text
    assert answer.model_used == "extractive"
    assert "book's own words" in answer.notes[0]


async def test_a_spent_budget_asks_no_model(core: Core, server: LLMServer) -> None:
    answer = await core.agent.answer(Question("What is the default depth?", key=a_place(), may_use_model=False))

    assert "default depth is 10" in answer.text
    assert server.chats == []


async def test_members_at_once_each_get_their_own_answer(core: Core, server: LLMServer) -> None:
    questions = [Question(f"What is the default depth? ({number})", key=a_place()) for number in range(8)]

    answers = await asyncio.gather(*(core.agent.answer(question) for question in questions))

    assert {answer.text for answer in answers} == {ANSWER}
    assert len({answer.session_id for answer in answers}) == 8


def _written(path: Path) -> Path:
    body = "\n\n".join(f"## {section}\n\n{text}" for section, text in SECTIONS.items())
    path.write_text(f"# Quality of service\n\n{body}\n", encoding="utf-8")
    return path

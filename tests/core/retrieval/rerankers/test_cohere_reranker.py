"""Cohere's reranker scores each text in the order given."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from core.errors import ServiceBusy
from core.ports import Reranker
from core.retrieval.rerankers import CohereReranker
from core.settings import Settings
from tests.fakes.llm_server import LLMServer
from tests.fakes.llm_steps import busy


@pytest_asyncio.fixture
async def server() -> AsyncIterator[LLMServer]:
    async with LLMServer() as running:
        yield running


@pytest_asyncio.fixture
async def reranker(server: LLMServer) -> AsyncIterator[CohereReranker]:
    settings = Settings(cohere_api_key="k", cohere_base_url=server.url, openai_retries=0)
    opened = CohereReranker.of(settings)
    yield opened
    await opened.close()


async def test_scores_come_back_in_the_order_of_the_texts(reranker: CohereReranker) -> None:
    port: Reranker = reranker

    scores = await port.score("default depth", ["bread", "the default depth", "some depth"])

    assert scores == [0.0, 1.0, 0.5]


async def test_more_texts_than_one_request_takes_are_split(reranker: CohereReranker, server: LLMServer) -> None:
    scores = await reranker.score("x", ["x"] * 1001)

    assert len(scores) == 1001
    assert [len(body["documents"]) for body in server.others] == [1000, 1]


async def test_no_texts_need_no_request(reranker: CohereReranker, server: LLMServer) -> None:
    assert await reranker.score("x", []) == []
    assert server.others == []


async def test_a_busy_service_is_told_as_ours(reranker: CohereReranker, server: LLMServer) -> None:
    server.other_script.append(busy("7"))

    with pytest.raises(ServiceBusy) as caught:
        await reranker.score("x", ["y"])

    assert caught.value.retry_after == 7

"""A model writer whose model is a local server and whose book is three passages."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from core.answering.model import ModelWriter, open_chat
from core.answering.model.usage import price_of
from core.answering.verifying import Verifier
from core.settings import Settings
from tests.core.answering.passages import WordFinder
from tests.fakes.llm_server import LLMServer


@pytest_asyncio.fixture
async def server() -> AsyncIterator[LLMServer]:
    async with LLMServer() as running:
        yield running
    assert not running.script, "the server was asked less often than scripted"
    assert not running.refused, "the server refused a request that the real one would refuse too"


@pytest.fixture
def finder() -> WordFinder:
    return WordFinder()


@pytest.fixture
def settings(server: LLMServer) -> Settings:
    return Settings(openai_api_key="test", openai_base_url=server.openai_url, openai_timeout_seconds=5)


@pytest_asyncio.fixture
async def writer(settings: Settings, finder: WordFinder) -> AsyncIterator[ModelWriter]:
    async with open_chat(settings) as chat:
        yield ModelWriter(chat=chat, finder=finder, verifier=Verifier(embedder=None), price=price_of(settings))

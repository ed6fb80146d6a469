"""The embedded models, loaded once for all tests."""

from collections.abc import AsyncIterator

import pytest_asyncio

from core.retrieval.embedders import OnnxEmbedder, StaticEmbedder
from core.retrieval.rerankers import OnnxReranker


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def embedder() -> AsyncIterator[OnnxEmbedder]:
    opened = OnnxEmbedder()
    yield opened
    await opened.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def static_embedder() -> AsyncIterator[StaticEmbedder]:
    opened = StaticEmbedder()
    yield opened
    await opened.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def reranker() -> AsyncIterator[OnnxReranker]:
    opened = OnnxReranker()
    yield opened
    await opened.close()

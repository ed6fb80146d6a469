"""The services an operator chooses are the ones a book goes through: embedded, found and reordered by them."""

from pathlib import Path

import pytest

from core.ingestion.request import IngestRequest
from core.model import Filters
from core.settings import Settings
from core.wiring import open_core
from tests.bot.cli.tiny import write_pages
from tests.fakes.llm_server import LLMServer


@pytest.mark.parametrize(
    ("embedder", "reranker", "models"),
    [
        pytest.param("openai", "cohere", {"text-embedding-3-small", "rerank-v5.0-fast"}, id="OpenAI and rerank"),
        pytest.param("cohere", "cohere", {"embed-english-v3.0", "rerank-v5.0-fast"}, id="Cohere for both"),
    ],
)
async def test_a_book_is_embedded_and_reranked_by_the_chosen_services(
    tmp_path: Path, embedder: str, reranker: str, models: set[str]
) -> None:
    async with LLMServer() as server:
        settings = Settings.from_env(
            {
                "FOOTNOTE_DATA_DIR": str(tmp_path / "data"),
                "FOOTNOTE_EMBEDDER": embedder,
                "FOOTNOTE_RERANKER": reranker,
                "OPENAI_BASE_URL": server.openai_url,
                "COHERE_API_KEY": "key",
                "COHERE_BASE_URL": server.url,
            }
        )
        async with open_core(settings) as core:
            job = await core.ingestion.ingest(IngestRequest(str(write_pages(tmp_path / "pages")), "tiny"))
            found = await core.retriever.search("What is a service call?", Filters(books=("tiny",)), limit=3)

    assert job.error_message is None
    assert "service is a call" in found.chunks[0].chunk.text
    assert found.chunks[0].cosine is not None
    assert found.chunks[0].rerank is not None
    assert {body["model"] for body in server.others} == models
    assert server.refused == []

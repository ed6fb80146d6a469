"""OpenAI and Cohere embed over the real clients, within their services' limits, their errors told as ours."""

from collections.abc import AsyncIterator
from dataclasses import replace

import numpy as np
import pytest
import pytest_asyncio

from core.errors import ServiceBusy, ServiceDown, ServiceError, ServiceTimeout
from core.ports import Embedder
from core.providers.openai_api import to_client
from core.retrieval.embedders.cohere_embedder import open_cohere_embedder
from core.retrieval.embedders.openai_embedder import OpenAIEmbedder, open_openai_embedder
from core.settings import Settings
from tests.fakes.llm_server import LLMServer
from tests.fakes.llm_steps import Step, busy, failing

SERVICES = ["openai", "cohere"]


@pytest_asyncio.fixture
async def server() -> AsyncIterator[LLMServer]:
    async with LLMServer() as running:
        yield running


@pytest.fixture
def settings(server: LLMServer) -> Settings:
    return Settings(
        openai_api_key="k",
        openai_base_url=server.openai_url,
        cohere_api_key="k",
        cohere_base_url=server.url,
        openai_retries=1,
    )


async def opened(service: str, settings: Settings) -> Embedder:
    return await (open_openai_embedder(settings) if service == "openai" else open_cohere_embedder(settings))


async def test_openai_takes_2048_texts_at_once(server: LLMServer, settings: Settings) -> None:
    embedder = OpenAIEmbedder(
        client=to_client(settings), model="text-embedding-3-small", dimension=1536, is_packed=True
    )

    vectors = await embedder.embed_chunks([f"text {number}" for number in range(2050)])

    assert [len(body["input"]) for body in server.others] == [2048, 2]
    assert len(vectors) == 2050
    await embedder.close()


async def test_cohere_takes_96_texts_at_once(server: LLMServer, settings: Settings) -> None:
    embedder = await open_cohere_embedder(settings)

    vectors = await embedder.embed_chunks([f"text {number}" for number in range(194)])

    assert [len(body["texts"]) for body in server.others] == [96, 96, 2]
    assert len(vectors) == 194
    await embedder.close()


@pytest.mark.parametrize("service", SERVICES)
async def test_each_vector_belongs_to_its_text_and_has_length_one(settings: Settings, service: str) -> None:
    embedder = await opened(service, settings)

    node, other, empty = await embedder.embed_chunks(["a node in the graph", "bread and butter", ""])
    query = await embedder.embed_query("node graph")

    assert query @ node > query @ other
    assert [round(float(np.linalg.norm(vector)), 4) for vector in (node, empty, query)] == [1.0, 1.0, 1.0]
    await embedder.close()


async def test_long_texts_do_not_exceed_what_a_request_may_carry(server: LLMServer, settings: Settings) -> None:
    embedder = await open_openai_embedder(settings)

    await embedder.embed_chunks(["word " * 3000] * 60)

    assert len(server.others) == 2
    await embedder.close()


async def test_cohere_is_told_what_is_searched_and_what_we_search_with(
    server: LLMServer, settings: Settings
) -> None:
    embedder = await open_cohere_embedder(settings)

    await embedder.embed_chunks(["a"])
    await embedder.embed_query("a")

    assert [body["input_type"] for body in server.others] == ["search_document", "search_query"]
    await embedder.close()


@pytest.mark.parametrize("is_packed", [True, False], ids=["packed", "floats"])
async def test_packed_and_plain_numbers_give_the_same_vectors(
    server: LLMServer, settings: Settings, is_packed: bool
) -> None:
    embedder = OpenAIEmbedder(
        client=to_client(settings), model="text-embedding-3-small", dimension=1536, is_packed=is_packed
    )

    vector = await embedder.embed_query("one two two")

    assert server.others[0]["encoding_format"] == ("base64" if is_packed else "float")
    assert sorted(vector[vector > 0].tolist()) == pytest.approx([1 / 5**0.5, 2 / 5**0.5])
    await embedder.close()


@pytest.mark.parametrize(
    ("service", "changed"),
    [("openai", {"openai_embedding_model": "nomic"}), ("cohere", {"cohere_model": "embed-v9"})],
    ids=SERVICES,
)
async def test_an_unknown_model_is_asked_for_its_dimension(
    settings: Settings, service: str, changed: dict[str, str]
) -> None:
    embedder = await opened(service, replace(settings, **changed))  # type: ignore[arg-type]

    assert embedder.dimension == len(await embedder.embed_query("x"))
    await embedder.close()


@pytest.mark.parametrize("service", SERVICES)
@pytest.mark.parametrize(
    ("step", "error"),
    [
        pytest.param(busy("120"), ServiceBusy, id="busy"),
        pytest.param(failing(500), ServiceDown, id="500"),
        pytest.param(failing(503), ServiceDown, id="503"),
        pytest.param(failing(504), ServiceTimeout, id="504"),
        pytest.param(failing(401), ServiceDown, id="key"),
        pytest.param(Step(status=400), ServiceDown, id="refused"),
    ],
)
async def test_a_failure_is_told_as_ours(
    server: LLMServer, settings: Settings, service: str, step: Step, error: type[ServiceError]
) -> None:
    embedder = await opened(service, replace(settings, openai_retries=0))
    server.other_script.append(step)

    with pytest.raises(error) as caught:
        await embedder.embed_query("x")

    assert type(caught.value) is error
    assert caught.value.service == service
    await embedder.close()


@pytest.mark.parametrize("service", SERVICES)
async def test_a_service_that_is_not_there_is_down(settings: Settings, service: str) -> None:
    away = replace(
        settings, openai_base_url="http://127.0.0.1:9/v1", cohere_base_url="http://127.0.0.1:9", openai_retries=0
    )
    embedder = await opened(service, away)

    with pytest.raises(ServiceDown, match="connection failed"):
        await embedder.embed_query("x")
    await embedder.close()


@pytest.mark.parametrize("service", SERVICES)
async def test_one_busy_moment_is_waited_out(server: LLMServer, settings: Settings, service: str) -> None:
    embedder = await opened(service, settings)
    server.other_script.append(busy())

    await embedder.embed_query("x")

    assert len(server.others) == 2
    await embedder.close()

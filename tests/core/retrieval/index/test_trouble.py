"""What an operator is told when the index cannot be used."""

import asyncio
from pathlib import Path

import pytest
from aiohttp import web

from core.errors import IndexMismatch, ServiceBusy, ServiceDown, ServiceError, ServiceTimeout
from core.model import Filters
from core.retrieval.index import open_index
from core.retrieval.index.edge import open_edge_index
from core.retrieval.index.server import open_server_index
from core.settings import Settings
from tests.core.retrieval.index.conftest import DIMENSION, direction, entry
from tests.fakes.qdrant_server import open_qdrant_server, refusal


def spoil(folder: Path) -> None:
    for state in folder.rglob("segment.json"):
        state.write_text("{")


async def test_entries_are_there_after_reopening(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    async with open_index(settings, model="letters", dimension=DIMENSION) as index:
        await index.put([entry("one", "robot", direction(1))])

    async with open_index(settings, model="letters", dimension=DIMENSION) as index:
        assert len(await index.search_dense(direction(1), Filters(books=("b",)), limit=5)) == 1


async def test_damaged_files_are_named_with_the_command_that_repairs_them(tmp_path: Path) -> None:
    index = await open_edge_index(tmp_path, model="letters", dimension=DIMENSION)
    await index.put([entry("one", "robot", direction(1))])
    await index.close()
    await index.close()
    spoil(tmp_path)

    with pytest.raises(ServiceDown, match="footnote reindex"):
        await open_edge_index(tmp_path, model="letters", dimension=DIMENSION)


async def test_an_index_in_use_is_refused(tmp_path: Path) -> None:
    first = await open_edge_index(tmp_path, model="letters", dimension=DIMENSION)

    with pytest.raises(ServiceDown, match="index"):
        await open_edge_index(tmp_path, model="letters", dimension=DIMENSION)

    await first.close()


async def test_a_server_that_is_not_there_is_down() -> None:
    with pytest.raises(ServiceDown, match="QDRANT_URL"):
        await open_server_index(
            "http://127.0.0.1:9", key=None, collection="footnote", model="letters", dimension=DIMENSION
        )


@pytest.mark.parametrize(
    ("status", "headers", "expected", "wait"),
    [
        pytest.param(429, {"Retry-After": "7"}, ServiceBusy, 7, id="too many, with a wait"),
        pytest.param(429, {}, ServiceBusy, None, id="too many"),
        pytest.param(500, {}, ServiceDown, None, id="broken"),
        pytest.param(503, {}, ServiceDown, None, id="unavailable"),
        pytest.param(504, {}, ServiceTimeout, None, id="gateway timeout"),
    ],
)
async def test_a_failing_server_is_translated(
    tmp_path: Path, status: int, headers: dict[str, str], expected: type[ServiceError], wait: int | None
) -> None:
    async def fail(request: web.Request) -> web.Response:
        return refusal(status, "no", headers)

    async with open_qdrant_server(tmp_path) as server:
        server.trouble = fail

        with pytest.raises(expected) as caught:
            await open_server_index(server.url, key=None, collection="c", model="m", dimension=DIMENSION)

        assert caught.value.retry_after == wait


async def test_a_silent_server_times_out(tmp_path: Path) -> None:
    async def hang(request: web.Request) -> None:
        await asyncio.Event().wait()

    async with open_qdrant_server(tmp_path) as server:
        server.trouble = hang

        with pytest.raises(ServiceTimeout):
            await open_server_index(
                server.url, key=None, collection="c", model="m", dimension=DIMENSION, timeout_seconds=1
            )


async def test_a_wrong_key_is_said_to_be_wrong(tmp_path: Path) -> None:
    async with open_qdrant_server(tmp_path, key="secret") as server:
        with pytest.raises(ServiceDown, match="QDRANT_API_KEY"):
            await open_server_index(server.url, key="guess", collection="c", model="m", dimension=DIMENSION)

        index = await open_server_index(server.url, key="secret", collection="c", model="m", dimension=DIMENSION)
        assert await index.count(Filters()) == 0
        await index.close()


async def test_a_collection_of_someone_else_is_left_alone(tmp_path: Path) -> None:
    async with open_qdrant_server(tmp_path) as server:
        theirs = await open_server_index(server.url, key=None, collection="c", model="m", dimension=DIMENSION)
        server.rename_words("c", "keywords")

        with pytest.raises(IndexMismatch, match="QDRANT_COLLECTION_NAME"):
            await open_server_index(server.url, key=None, collection="c", model="m", dimension=DIMENSION)

        await theirs.close()

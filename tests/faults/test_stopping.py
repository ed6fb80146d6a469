"""The real process is told to stop, or killed, while an answer is being written."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from uuid import uuid4

import aiohttp
import pytest
import pytest_asyncio
from aiohttp import web

from tests.bot.cli.tiny import QUICK
from tests.fakes.discord import LocalDiscord
from tests.fakes.llm_server import LLMServer
from tests.faults.process import WAIT, Footnote, make_library

pytestmark = [pytest.mark.long, pytest.mark.asyncio(loop_scope="module")]
MAX_STOP_SECONDS = 10.0


class GatedModel(LLMServer):
    """Thinks until the gate is opened."""

    def __init__(self) -> None:
        super().__init__()
        self.is_asked = asyncio.Event()
        self.gate = asyncio.Event()

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        self.is_asked.set()
        await self.gate.wait()
        return await super()._chat(request)

    async def _embeddings(self, request: web.Request) -> web.StreamResponse:
        self.is_asked.set()
        await self.gate.wait()
        return await super()._embeddings(request)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return await make_library(tmp_path_factory.mktemp("made"))


@pytest_asyncio.fixture(loop_scope="module")
async def model() -> AsyncIterator[GatedModel]:
    server = GatedModel()
    async with server:
        yield server
        server.gate.set()


def beside(library: Path, folder: Path, model: GatedModel) -> Footnote:
    return Footnote.beside(library, folder, OPENAI_API_KEY="sk-test", OPENAI_BASE_URL=model.openai_url)


async def say(footnote: Footnote, http: aiohttp.ClientSession) -> str:
    """Ask on the page; the post's id, which is also its thread's."""
    async with http.post(
        f"{footnote.url}/api/channel/posts", json={"id": uuid4().hex, "text": "What is a topic?"}
    ) as response:
        assert response.status < 300, await response.text()
        return str((await response.json())["id"])


async def replies(footnote: Footnote, http: aiohttp.ClientSession, thread: str) -> list[dict[str, Any]]:
    async with http.get(f"{footnote.url}/api/channel/threads/{thread}") as response:
        posts = (await response.json())["posts"]
    return [post for post in posts if post.get("reply")]


async def test_told_to_stop_it_finishes_the_answer_it_is_writing(
    library: Path, tmp_path: Path, model: GatedModel
) -> None:
    footnote = beside(library, tmp_path, model)
    async with footnote.running() as running, aiohttp.ClientSession() as http:
        asking = asyncio.create_task(http.post(f"{footnote.url}/api/chat", json={"question": "What is a topic?"}))
        await asyncio.wait_for(model.is_asked.wait(), WAIT)
        stopping = asyncio.create_task(running.stop())
        await footnote.until_said("stopping: 1 answers in flight", running)
        model.gate.set()
        answer = await (await asyncio.wait_for(asking, WAIT)).json()
        code, seconds = await stopping

    assert answer["metadata"]["model_used"] != "extractive", "the model's answer was waited for"
    assert answer["text"]
    assert code == 0
    assert seconds < MAX_STOP_SECONDS


async def test_an_answer_that_takes_too_long_is_handed_over_to_the_next_start(
    library: Path, tmp_path: Path, model: GatedModel
) -> None:
    footnote = beside(library, tmp_path, model)
    async with aiohttp.ClientSession() as http:
        async with footnote.running() as running:
            thread = await say(footnote, http)
            await asyncio.wait_for(model.is_asked.wait(), WAIT)
            code, seconds = await running.stop()
        footnote.written.clear()
        model.gate.set()
        async with footnote.running() as running:
            shown: list[dict[str, Any]] = []
            async with asyncio.timeout(WAIT):
                while not (shown := await replies(footnote, http, thread)):  # noqa: ASYNC110 - it is another process
                    await asyncio.sleep(0.05)
            await running.stop()

    assert code == 0
    assert seconds < MAX_STOP_SECONDS + 2, (
        "eight seconds for answers in flight, and a busy machine's time to close"
    )
    assert len(shown) == 1
    assert shown[0]["reply"]["kind"] in ("answer", "refusal")


async def test_told_to_stop_while_the_first_book_is_taken_in_it_ends_and_the_next_start_goes_on(
    tmp_path: Path, model: GatedModel
) -> None:
    settings = {**QUICK, "FOOTNOTE_EMBEDDER": "openai", "OPENAI_API_KEY": "sk-test"}
    footnote = Footnote(tmp_path, {**settings, "OPENAI_BASE_URL": model.openai_url})
    async with footnote.running(until="Reading the sample book") as running:
        await asyncio.wait_for(model.is_asked.wait(), WAIT)
        code, seconds = await running.stop()
    said = "".join(footnote.written)
    footnote.written.clear()
    model.gate.set()
    async with footnote.running() as running:
        await running.stop()
    jobs = json.loads((await footnote.do("jobs", "list", "--json"))[1])

    assert code == 0
    assert seconds < MAX_STOP_SECONDS
    assert "Traceback" not in said
    assert [job["status"] for job in jobs["jobs"]] == ["completed"], "one job, which went on"


async def test_told_to_stop_while_a_platform_is_away_it_ends_in_time(library: Path, tmp_path: Path) -> None:
    async with AsyncExitStack() as until_away:
        discord = await until_away.enter_async_context(LocalDiscord().running())
        footnote = Footnote.beside(
            library,
            tmp_path,
            DISCORD_TOKEN=discord.token,
            DISCORD_API_BASE=discord.api_url,
            DISCORD_GATEWAY_URL=discord.gateway_url,
        )
        async with footnote.running() as running:
            await discord.until(lambda: discord.gateway.sessions or None, seconds=WAIT)
            await until_away.aclose()
            await footnote.until_said("Attempting a reconnect", running)
            code, seconds = await running.stop()

    assert code == 0
    assert seconds < MAX_STOP_SECONDS

"""The page's API on the real core: a book is sent, taken in, asked, searched and read."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import pytest

from bot.adapters.web import run_web
from bot.adapters.web.serving import open_socket
from bot.limits import Allowance, Limits
from bot.serving import make_desk
from bot.turns import Turns
from core.ingestion.runner import Runner
from core.settings import Settings
from core.store.uses import Uses
from core.wiring import Core, open_core

pytestmark = pytest.mark.models

WINCHES = (
    "# Winches\n\nA winch pulls a cable with a drum. The drum of a capstan winch turns around a vertical axle.\n\n"
    "## Safety\n\nNobody may stand in line with a cable under load, because a cable that breaks whips back.\n"
)


@dataclass
class Served:
    """The page with everything behind it."""

    url: str
    http: aiohttp.ClientSession
    core: Core


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    with open_socket("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    settings = Settings(data_dir=tmp_path / "data", port=port)
    stop = asyncio.Event()
    async with open_core(settings) as core, aiohttp.ClientSession() as http:
        limits = Limits(uses=Uses(core.database), allowance=Allowance())
        turns = Turns(agent=core.agent, ledger=core.ledger, limits=limits)
        web = asyncio.create_task(run_web(settings, core, turns, make_desk(core, limits), stop))
        works = [
            asyncio.create_task(work)
            for work in (turns.run(), Runner(jobs=core.jobs, ingestion=core.ingestion).run())
        ]
        # Its first step opens the socket; whoever connects from then on is only made to wait.
        await asyncio.sleep(0)
        yield Served(f"http://127.0.0.1:{port}", http, core)
        stop.set()
        await web
        for work in works:
            work.cancel()
        await asyncio.gather(*works, return_exceptions=True)


async def _send_book(served: Served) -> dict[str, object]:
    """Send the book and follow its job by the events an open page gets."""
    form = aiohttp.FormData()
    form.add_field("title", "Winches")
    form.add_field("files", WINCHES.encode(), filename="winches.md")
    async with served.http.get(f"{served.url}/api/events") as events:
        await events.content.readuntil(b"\n\n")
        async with served.http.post(f"{served.url}/api/books", data=form) as response:
            assert response.status == 202
        while True:
            block = (await asyncio.wait_for(events.content.readuntil(b"\n\n"), 60)).decode()
            if not block.startswith("event: job"):
                continue
            job: dict[str, object] = json.loads(block.split("data: ")[1])["job"]
            if job["status"] not in {"queued", "running"}:
                return job


async def test_a_book_is_sent_asked_searched_and_read(served: Served) -> None:
    job = await _send_book(served)
    assert (job["status"], job["files_failed"]) == ("completed", 0)

    asked = {"question": "Why may nobody stand in line with a cable under load?"}
    async with served.http.post(f"{served.url}/api/chat", json=asked) as response:
        answer = await response.json()
    assert response.status == 200
    assert "whips back" in answer["answer"]
    assert answer["citations"][0]["source_file"] == "winches.md"
    assert answer["should_answer"] is True

    again = {"question": "What does a capstan winch's drum turn around?", "session_id": answer["session_id"]}
    async with served.http.post(f"{served.url}/api/chat", json=again) as response:
        assert (await response.json())["session_id"] == answer["session_id"]
    async with served.http.get(f"{served.url}/api/sessions/{answer['session_id']}") as response:
        assert len((await response.json())["messages"]) == 4

    async with served.http.get(f"{served.url}/api/search?q=vertical axle") as response:
        found = await response.json()
    assert "vertical axle" in found["results"][0]["text"]
    async with served.http.get(served.url + answer["citations"][0]["url"]) as response:
        assert response.status == 200
        assert "A winch pulls a cable" in await response.text()

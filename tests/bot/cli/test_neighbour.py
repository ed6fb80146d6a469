"""While the bot runs, the command asks it; a second bot is turned away."""

import asyncio
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from bot.cli.neighbour import ADDRESS_NAME, announce, withdraw
from bot.serving import serve
from core.settings import Settings
from core.store.opening import open_store
from core.wiring import Core
from tests.bot.cli.conftest import Footnote, Outcome
from tests.bot.cli.tiny import QUICK, quick


@asynccontextmanager
async def running_bot(settings: Settings) -> AsyncIterator[None]:
    """The bot as `footnote run` serves it."""
    is_ready = asyncio.Event()

    async def prepare(core: Core) -> None:
        announce(settings)

    serving = asyncio.create_task(serve(settings, prepare=prepare, on_ready=is_ready.set))
    try:
        await asyncio.wait_for(is_ready.wait(), 30)
        yield
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        withdraw(settings)


def test_bot_that_runs_is_asked(footnote: Footnote, tiny_library: Path, data_dir: Path) -> None:
    shutil.copytree(tiny_library, data_dir)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])

    async def ask() -> list[Outcome]:
        commands = [
            ("ask", "What is a topic?", "--json"),
            ("ask", "What is a topic?"),
            ("search", "lost message", "--level", "A2", "--limit", "1", "--json"),
            ("ask", "What is a topic?", "--book", "other", "--json"),
        ]
        token = {"FOOTNOTE_WEB_TOKEN": "let-me-in-please"}
        async with running_bot(replace(quick(data_dir, port=port), web_token=token["FOOTNOTE_WEB_TOKEN"])):
            done = [await asyncio.to_thread(footnote, *words, **QUICK, **token) for words in commands]
            return [*done, await asyncio.to_thread(footnote, *commands[0], **QUICK)]

    answer, shown, found, refused, stranger = asyncio.run(ask())

    assert "named channel" in answer.document["text"]
    assert answer.document["citations"][0]["source_file"] == "basics/topics.md"
    assert "] Topics" in shown.out
    assert len(found.document["results"]) == 1
    assert found.document["filters"] == {"levels": ["A2"]}
    assert (refused.code, refused.document["error"]) == (2, "unknown_book")
    assert stranger.code != 0
    assert "token" in stranger.document["message"].lower()
    assert not (data_dir / ADDRESS_NAME).exists()


def test_process_that_does_not_listen_is_named(footnote: Footnote, data_dir: Path) -> None:
    async def ask() -> tuple[Outcome, Outcome]:
        async with open_store(data_dir):
            without = await asyncio.to_thread(footnote, "ask", "What is a topic?", **QUICK)
            (data_dir / ADDRESS_NAME).write_text("127.0.0.1 1 1")
            deaf = await asyncio.to_thread(footnote, "search", "topics", "--json", **QUICK)
            return without, deaf

    without, deaf = asyncio.run(ask())

    assert (without.code, deaf.code) == (1, 1)
    assert "Another Footnote" in without.err
    assert deaf.document["error"] == "data_in_use"


def test_second_bot_is_turned_away_and_the_first_stays_known(footnote: Footnote, data_dir: Path) -> None:
    async def start() -> Outcome:
        async with open_store(data_dir):
            (data_dir / ADDRESS_NAME).write_text("127.0.0.1 8765 1")
            return await asyncio.to_thread(footnote, "run", **QUICK)

    done = asyncio.run(start())

    assert done.code == 1
    assert "Another Footnote" in done.err
    assert (data_dir / ADDRESS_NAME).exists()

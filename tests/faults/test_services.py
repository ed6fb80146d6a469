"""Services that answers rest on are away while members ask: what a member sees, and that it heals by itself."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from aiohttp import web

from bot.reply import Reply
from bot.turns import Turns
from core.agent import Agent
from core.answering.extractive_writer import ExtractiveWriter
from core.errors import ServiceDown
from core.model import Book, Place
from core.ports import Vector
from core.retrieval.index import open_index
from core.retrieval.retriever import Retriever
from core.retrieval.words import Words
from core.settings import Settings
from core.store.library import FileRecord, Library
from core.store.opening import open_store
from core.store.sessions import Sessions
from tests.bot.conftest import running_turns
from tests.bot.scripted import WAIT, ScriptedPlatform, to_incoming
from tests.core.retrieval.shelf import LESSONS, _entry
from tests.core.store.making import make_chunks, make_lesson
from tests.fakes.letters_embedder import DIMENSION, LettersEmbedder
from tests.fakes.qdrant_server import QdrantServer, open_qdrant_server, refusal
from tests.fakes.words_reranker import WordsReranker
from tests.logged import fields

QUESTION = "What is a topic?"


class FadingEmbedder(LettersEmbedder):
    """Works until it is away."""

    is_away = False

    async def embed_query(self, text: str) -> Vector:
        if self.is_away:
            raise ServiceDown("embedder", "unreachable")
        return await super().embed_query(text)


@dataclass
class Desk:
    """A bot whose index is on a server, and a member who asks."""

    qdrant: QdrantServer
    embedder: FadingEmbedder
    turns: Turns
    platform: ScriptedPlatform
    asked: int = 0

    async def ask(self) -> Reply:
        self.asked += 1
        event = f"e{self.asked}"
        await self.turns.receive(to_incoming(event, QUESTION))
        await asyncio.wait_for(self.turns.wait_idle(), WAIT)
        (reply,) = self.platform.shown[event].replies
        return reply


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    embedder, platform = FadingEmbedder(), ScriptedPlatform()
    async with AsyncExitStack() as stack:
        qdrant = await stack.enter_async_context(open_qdrant_server(tmp_path / "qdrant"))
        database = await stack.enter_async_context(open_store(tmp_path / "data"))
        settings = Settings(data_dir=tmp_path / "data", qdrant_url=qdrant.url)
        index = await stack.enter_async_context(open_index(settings, model=embedder.model, dimension=DIMENSION))
        library, words = Library(database), Words()
        await library.save_book(Book(id="robots", title="Robots"))
        for position, ((module, chapter, lesson), texts) in enumerate(LESSONS.items()):
            place = Place("robots", module, chapter, lesson)
            chunks = make_chunks(texts, place, source_file=f"{position}.md")
            vectors = await embedder.embed_chunks([chunk.text for chunk in chunks])
            await index.put([_entry(chunk, words, vector) for chunk, vector in zip(chunks, vectors, strict=True)])
            lessons = [make_lesson(place, position=position)]
            await library.replace_file("robots", FileRecord(f"{position}.md", "0" * 64), lessons, chunks)
        retriever = Retriever(index=index, library=library, embedder=embedder, reranker=WordsReranker())
        writer = ExtractiveWriter(retriever=retriever)
        agent = Agent(sessions=Sessions(database, model="m"), library=library, writer=writer)
        turns = await stack.enter_async_context(running_turns(database, agent, platform))  # type: ignore[arg-type]
        yield Desk(qdrant, embedder, turns, platform)


async def test_without_the_embedder_passages_are_found_by_their_words(desk: Desk) -> None:
    before = await desk.ask()
    desk.embedder.is_away = True

    reply = await desk.ask()

    assert reply.code == ""
    assert {note.chunk_id for note in reply.footnotes} & {note.chunk_id for note in before.footnotes}


async def away(request: web.Request) -> web.Response:
    return refusal(503, "no healthy upstream", {})


async def old(request: web.Request) -> web.Response | None:
    """A server of years ago does not know how to be queried like this."""
    return web.Response(status=404) if request.path.endswith("/points/query") else None


async def gone(request: web.Request) -> web.Response:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


@pytest.mark.parametrize("trouble", [away, old, gone], ids=["away", "too old a version", "connection cut"])
async def test_an_index_that_does_not_answer_is_told_and_heals_by_itself(
    desk: Desk, trouble: object, caplog: pytest.LogCaptureFixture
) -> None:
    desk.qdrant.trouble = trouble  # type: ignore[assignment]
    failed = await desk.ask()
    desk.qdrant.trouble = None
    healed = await desk.ask()

    assert failed.code in ("unavailable", "timeout")
    assert failed.reference in fields(caplog, "reference"), "the member's reference stands in the log"
    assert "Qdrant" not in failed.text
    assert not failed.footnotes
    assert healed.footnotes

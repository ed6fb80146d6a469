"""A study group's bot without its platform: everything real but the thinking."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path

from bot.desk import Desk
from bot.limits import Allowance, Limits
from bot.turn_work import TurnRules
from bot.turns import Turns
from bot.uploads import Uploads
from core.model import (
    Answer,
    AnswerEvent,
    AskEvent,
    Chunk,
    Citation,
    Filters,
    Findings,
    FoundChunk,
    Place,
    Question,
    Stage,
    StageEvent,
    TextEvent,
)
from core.store.database import Database
from core.store.feedback import Feedback
from core.store.jobs import Jobs
from core.store.ledger import Ledger
from core.store.library import Library
from core.store.places import Places
from core.store.sessions import Sessions
from core.store.uses import Uses
from tests.bot.scripted import Script, ScriptedAgent, to_answer
from tests.core.store.making import add_book, make_chunks, store_file

PASSAGES = (
    "A node is a process that computes something in the graph.",
    "A topic is a named channel on which nodes exchange messages.",
    "A service answers one request with one response.",
    "An action is a long-running goal with feedback on the way.",
)
PLACE = Place("ros", "basics", 1, 1)
CHUNKS = make_chunks(PASSAGES, PLACE)
QUICK = TurnRules(join_seconds=0.05, retry_pauses=(0.01, 0.01, 0.01))
PATIENT = replace(QUICK, join_seconds=1.0)
"""Two messages are one question even where a busy machine takes a while between them."""


class RememberingAgent(ScriptedAgent):
    """A scripted agent that remembers turns as the real one does."""

    def __init__(self, sessions: Sessions, *script: Script, is_gated: bool = False) -> None:
        super().__init__(*script, is_gated=is_gated)
        self._sessions = sessions

    async def ask(self, question: Question) -> AsyncIterator[AskEvent]:
        session = await self._sessions.open(question)
        async for event in super().ask(question):
            if isinstance(event, AnswerEvent):
                answer = replace(event.answer, session_id=session.id)
                await self._sessions.remember(session.id, question=question, answer=answer, retrievals=())
                yield AnswerEvent(answer)
            else:
                yield event


class WritingAgent(RememberingAgent):
    """Writes what it is given, piece by piece, and ends with an answer."""

    def __init__(self, sessions: Sessions) -> None:
        super().__init__(sessions)
        self._pieces: asyncio.Queue[str | Answer] = asyncio.Queue()

    def write(self, piece: str | Answer) -> None:
        """The whole text so far, or the finished answer."""
        self._pieces.put_nowait(piece)

    async def ask(self, question: Question) -> AsyncIterator[AskEvent]:
        self.asked.append(question)
        self.started.put_nowait(question)
        yield StageEvent(Stage.GENERATING)
        while isinstance(piece := await self._pieces.get(), str):
            yield TextEvent(piece)
        yield AnswerEvent(piece)


def cited(text: str, *numbers: int) -> Answer:
    """An answer that cites the passages with these numbers."""
    citations = tuple(Citation(at, CHUNKS[at - 1], CHUNKS[at - 1].text, 0.9) for at in numbers or (1,))
    return to_answer(text, citations=citations)


class WordSearcher:
    """Finds passages that share a word with the query, or raises its *trouble*."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self.asked: list[tuple[str, Filters]] = []
        self.trouble: Exception | None = None

    async def search(self, query: str, scope: Filters, *, limit: int) -> Findings:
        self.asked.append((query, scope))
        if self.trouble is not None:
            raise self.trouble
        chunks: list[Chunk] = [
            chunk for book in scope.books async for batch in self._library.all_chunks(book) for chunk in batch
        ]
        wanted = set(query.lower().split())
        ordered = sorted(chunks, key=lambda chunk: chunk.index)
        found = [each for each in ordered if wanted & set(each.text.lower().split())]
        return Findings(query, tuple(FoundChunk(each, 0.8) for each in found[:limit]), len(found), scope)


@dataclass(frozen=True, slots=True)
class BotParts:
    """The whole bot but its platform."""

    agent: RememberingAgent
    turns: Turns
    desk: Desk
    searcher: WordSearcher
    jobs: Jobs


def make_parts(
    database: Database,
    data_dir: Path,
    *script: Script,
    is_gated: bool = False,
    writes: bool = False,
    agent: RememberingAgent | None = None,
    allowance: Allowance = Allowance(),  # noqa: B008
    rules: TurnRules = QUICK,
) -> BotParts:
    """The parts; with *writes* the agent writes what the test gives it."""
    sessions, library, ledger = Sessions(database, model="test"), Library(database), Ledger(database)
    uses, jobs = Uses(database), Jobs(database)
    limits = Limits(uses=uses, allowance=allowance)
    if agent is None:
        agent = WritingAgent(sessions) if writes else RememberingAgent(sessions, *script, is_gated=is_gated)
    searcher = WordSearcher(library)
    desk = Desk(
        library=library,
        sessions=sessions,
        searcher=searcher,
        jobs=jobs,
        ledger=ledger,
        places=Places(database),
        uses=uses,
        feedback=Feedback(database),
        limits=limits,
        uploads=Uploads(data_dir / "uploads"),
    )
    turns = Turns(agent=agent, ledger=ledger, limits=limits, rules=rules)
    return BotParts(agent, turns, desk, searcher, jobs)


async def add_small_book(database: Database) -> None:
    """A book with one lesson of four passages, that every group may read."""
    library = Library(database)
    if not await library.books(group=None):
        await add_book(library)
        await store_file(library, PASSAGES, place=PLACE)

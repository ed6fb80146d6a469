"""A study group on the local Discord, and the whole bot on it; only the thinking is scripted."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bot.adapters.discord import run_discord
from bot.desk import Desk
from bot.limits import Allowance, Limits
from bot.turn_work import TurnRules
from bot.turns import Turns
from bot.uploads import Uploads
from core.model import AnswerEvent, AskEvent, Chunk, Citation, Filters, Findings, FoundChunk, Place, Question
from core.settings import Settings
from core.store.database import Database
from core.store.feedback import Feedback
from core.store.jobs import Jobs
from core.store.ledger import Ledger
from core.store.library import Library
from core.store.places import Places
from core.store.sessions import Sessions
from core.store.uses import Uses
from tests.bot.scripted import WAIT, Script, ScriptedAgent, to_answer
from tests.core.store.making import add_book, make_chunks, store_file
from tests.fakes.discord import LocalDiscord
from tests.fakes.discord.wire import Json

PASSAGES = (
    "A node is a process that computes something in the graph.",
    "A topic is a named channel on which nodes exchange messages.",
    "A service answers one request with one response.",
    "An action is a long-running goal with feedback on the way.",
)
PLACE = Place("ros", "basics", 1, 1)
CHUNKS = make_chunks(PASSAGES, PLACE)


class RememberingAgent(ScriptedAgent):
    """A scripted agent that remembers turns as the real one does, and cites real passages."""

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


def cited(text: str, *numbers: int) -> "object":
    """An answer that cites the passages with these numbers."""
    citations = tuple(Citation(at, CHUNKS[at - 1], CHUNKS[at - 1].text, 0.9) for at in numbers or (1,))
    return to_answer(text, citations=citations)


class WordSearcher:
    """Finds passages that share a word with the query."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self.asked: list[tuple[str, Filters]] = []

    async def search(self, query: str, scope: Filters, *, limit: int) -> Findings:
        self.asked.append((query, scope))
        chunks: list[Chunk] = [
            chunk for book in scope.books async for batch in self._library.all_chunks(book) for chunk in batch
        ]
        wanted = set(query.lower().split())
        found = [
            each
            for each in sorted(chunks, key=lambda chunk: chunk.index)
            if wanted & set(each.text.lower().split())
        ]
        return Findings(query, tuple(FoundChunk(each, 0.8) for each in found[:limit]), len(found), scope)


@dataclass
class Stage:
    """Everything a scenario needs at hand."""

    discord: LocalDiscord
    database: Database
    settings: Settings
    agent: RememberingAgent
    turns: Turns
    desk: Desk
    searcher: WordSearcher
    guild: Json
    general: Json
    ann: Json
    bob: Json
    lea: Json
    """She leads the group."""
    is_listening: asyncio.Event = field(default_factory=asyncio.Event)

    @asynccontextmanager
    async def bot(self) -> AsyncIterator[None]:
        """The bot, listening, until the block ends."""
        stop, running = asyncio.Event(), asyncio.create_task(self.turns.run())
        serving = asyncio.create_task(self.serve(stop))
        try:
            await self.until_listening(serving)
            yield
        finally:
            stop.set()
            await asyncio.wait_for(serving, WAIT)
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running

    async def serve(self, stop: asyncio.Event) -> None:
        """The bot's own work, with no pauses worth noticing."""
        await run_discord(
            self.settings,
            self.turns,
            self.desk,
            stop,
            pauses=(0.01,),
            guild_ready_seconds=0.02,
            late_after_seconds=0.0,
            on_ready=self.is_listening.set,
        )

    async def until_listening(self, serving: "asyncio.Task[None]") -> None:
        """Wait until the bot listens; its own failure to start is raised here."""
        listening = asyncio.create_task(self.is_listening.wait())
        await asyncio.wait({listening, serving}, return_when=asyncio.FIRST_COMPLETED, timeout=WAIT)
        listening.cancel()
        if serving.done():
            await serving
        assert self.is_listening.is_set()

    async def ask(self, question: str = "What is a node?", *, by: Json | None = None) -> Json:
        """Mention the bot in #general; the message, whose id is also its thread's."""
        return await self.discord.people.ask(by or self.ann, self.general, question)


def make_parts(
    database: Database,
    *script: Script,
    is_gated: bool = False,
    allowance: Allowance,
    rules: TurnRules,
    data_dir: Path,
) -> tuple[RememberingAgent, Turns, Desk, WordSearcher]:
    """The whole bot but its platform."""
    sessions, library, ledger = Sessions(database, model="test"), Library(database), Ledger(database)
    uses = Uses(database)
    limits = Limits(uses=uses, allowance=allowance)
    agent = RememberingAgent(sessions, *script, is_gated=is_gated)
    searcher = WordSearcher(library)
    desk = Desk(
        library=library,
        sessions=sessions,
        searcher=searcher,
        jobs=Jobs(database),
        ledger=ledger,
        places=Places(database),
        uses=uses,
        feedback=Feedback(database),
        limits=limits,
        uploads=Uploads(data_dir / "uploads"),
    )
    return agent, Turns(agent=agent, ledger=ledger, limits=limits, rules=rules), desk, searcher


async def make_stage(
    discord: LocalDiscord,
    database: Database,
    data_dir: Path,
    *script: Script,
    is_gated: bool = False,
    allowance: Allowance = Allowance(),  # noqa: B008
    rules: TurnRules = TurnRules(join_seconds=0.05, retry_pauses=(0.01, 0.01, 0.01)),  # noqa: B008
    **settings: Any,
) -> Stage:
    """A server with a channel, three members and a book; the bot is not logged in yet."""
    agent, turns, desk, searcher = make_parts(
        database, *script, is_gated=is_gated, allowance=allowance, rules=rules, data_dir=data_dir
    )
    library = Library(database)
    if not await library.books(group=None):
        await add_book(library)
        await store_file(library, PASSAGES, place=PLACE)
    world = discord.world
    guild = next(iter(world.guilds.values()), None) or world.add_guild()
    general = guild["channels"][0] if guild["channels"] else world.add_channel(guild, "general")
    people = {user["username"]: user for user in world.users.values()}
    ann, bob, lea = (people.get(name) or world.add_user(name) for name in ("ann", "bob", "lea"))
    world.join(guild, lea, is_leader=True)
    world.join(guild, ann)
    world.join(guild, bob)
    chosen = Settings(
        data_dir=data_dir,
        discord_token=settings.pop("discord_token_override", discord.token),
        discord_api_base=discord.api_url,
        discord_gateway_url=discord.gateway_url,
        **settings,
    )
    return Stage(discord, database, chosen, agent, turns, desk, searcher, guild, general, ann, bob, lea)

"""The real page and API on a real socket, with a small real book; only what thinks is a script."""

import asyncio
import re
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import aiohttp

from bot.adapters.web import make_parts
from bot.adapters.web.app import make_app
from bot.adapters.web.job_watch import JobWatch
from bot.adapters.web.parts import Parts
from bot.adapters.web.serving import open_socket, serve
from bot.asking import Answerer
from bot.desk import Desk
from bot.limits import Allowance, Limits
from bot.turn_work import TurnRules
from bot.turns import Turns
from bot.uploads import Uploads
from core.ingestion.chunks import to_chunks
from core.ingestion.discovery import read_book
from core.ingestion.file_reading import read_file
from core.ingestion.pipeline import Ingestion
from core.ingestion.placing import Placing
from core.ingestion.runner import Runner
from core.model import Book, Filters, Findings, FoundChunk
from core.retrieval.index import open_index
from core.settings import Settings
from core.store.database import Database
from core.store.embedding_cache import EmbeddingCache
from core.store.feedback import Feedback
from core.store.files import DATABASE_NAME
from core.store.jobs import Jobs
from core.store.ledger import Ledger
from core.store.library import FileRecord, LessonRow, Library
from core.store.opening import open_store
from core.store.places import Places
from core.store.sessions import Sessions
from core.store.uses import Uses
from tests.empty_database import put_empty_database
from tests.fakes.letters_embedder import LettersEmbedder

WAIT = 60.0
"""Seconds after which a test that waits has failed; the machine may be busy."""
TOKEN = "a-token-for-tests"


class WordSearcher:
    """Finds chunks by the share of the query's words they hold: enough to see results, nothing to think with."""

    def __init__(self, library: Library) -> None:
        self._library = library

    async def search(self, query: str, scope: Filters, *, limit: int) -> Findings:
        words = set(re.findall(r"\w+", query.lower()))
        found = []
        for book in scope.books:
            async for chunks in self._library.all_chunks(book):
                for chunk in chunks:
                    if scope.module not in (None, chunk.place.module):
                        continue
                    share = len(words & set(re.findall(r"\w+", chunk.text.lower()))) / len(words)
                    if share > 0:
                        found.append(FoundChunk(chunk, share))
        best = sorted(found, key=lambda each: (-each.score, each.chunk.source_file, each.chunk.index))
        return Findings(query, tuple(best[:limit]), len(best), scope)


@dataclass(frozen=True, slots=True)
class Site:
    """A running page."""

    url: str
    parts: Parts
    http: aiohttp.ClientSession


@asynccontextmanager
async def open_site(
    data_dir: Path,
    agent: Answerer,
    *,
    allowance: Allowance = Allowance(),  # noqa: B008
    token: str | None = None,
    rules: TurnRules = TurnRules(),  # noqa: B008
    port: int = 0,
    ingests: bool = False,
) -> AsyncIterator[Site]:
    """The page on a free port until the block ends; the same *data_dir* again is the channel after a restart.

    With *ingests*, books that are sent are taken in for real, with an embedder that counts letters.
    """
    async with AsyncExitStack() as stack:
        await put_empty_database(data_dir / DATABASE_NAME)
        database = await stack.enter_async_context(open_store(data_dir))
        parts = _parts(replace(Settings(), data_dir=data_dir, web_token=token), database, agent, allowance, rules)
        listening = open_socket("127.0.0.1", port)
        stop = asyncio.Event()
        await parts.turns.resume("web")
        serving = asyncio.create_task(serve(make_app(parts), listening, hub=parts.hub, stop=stop))
        works = [parts.turns.run(), JobWatch(jobs=parts.jobs, hub=parts.hub).run()]
        if ingests:
            works.append(await _ingesting(parts, database, stack))
        for work in works:
            stack.push_async_callback(_end, asyncio.create_task(work))
        stack.push_async_callback(_finish, serving, stop)
        http = await stack.enter_async_context(
            # Unsafe only means that cookies of an address without a name are kept.
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(WAIT), cookie_jar=aiohttp.CookieJar(unsafe=True))
        )
        yield Site(f"http://127.0.0.1:{listening.getsockname()[1]}", parts, http)


async def _ingesting(parts: Parts, database: Database, stack: AsyncExitStack) -> Coroutine[Any, Any, None]:
    embedder = LettersEmbedder()
    index = await stack.enter_async_context(
        open_index(parts.settings, model=embedder.model, dimension=embedder.dimension)
    )
    ingestion = Ingestion(
        library=parts.library,
        jobs=parts.jobs,
        index=index,
        embedder=embedder,
        cache=EmbeddingCache(database),
        scratch=parts.settings.data_dir / "scratch",
    )
    return Runner(jobs=parts.jobs, ingestion=ingestion).run()


def _parts(
    settings: Settings, database: Database, agent: Answerer, allowance: Allowance, rules: TurnRules
) -> Parts:
    library, sessions, jobs = Library(database), Sessions(database, model="scripted"), Jobs(database)
    ledger, uses = Ledger(database), Uses(database)
    limits = Limits(uses=uses, allowance=allowance)
    turns = Turns(agent=agent, ledger=ledger, limits=limits, rules=rules)
    desk = Desk(
        library=library,
        sessions=sessions,
        searcher=WordSearcher(library),
        jobs=jobs,
        ledger=ledger,
        places=Places(database),
        uses=uses,
        feedback=Feedback(database),
        limits=limits,
        uploads=Uploads(settings.data_dir / "uploads"),
    )
    return make_parts(settings, turns, desk, database=database, library=library, sessions=sessions, jobs=jobs)


async def add_small_book(
    library: Library, folder: Path, *, book_id: str = "robots", title: str = "Robots"
) -> None:
    """Read *folder* as ingestion would, into the library alone."""
    await library.save_book(Book(book_id, title))
    reader, files = read_book(folder)
    placing = Placing(book_id)
    for source in files:
        digest = sha256(source.absolute.read_bytes()).hexdigest()
        rows, chunks = [], []
        for lesson in read_file(reader, source):
            place = placing.place(lesson).place
            cut = to_chunks(lesson, place, file_hash=digest)
            if cut:
                rows.append(LessonRow(cut[0].parent_id, lesson.title, place, lesson.slug, lesson.order))
                chunks += cut
        await library.replace_file(book_id, FileRecord(source.path, digest), rows, chunks)


async def _end(task: "asyncio.Task[None]") -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def _finish(serving: "asyncio.Task[None]", stop: asyncio.Event) -> None:
    stop.set()
    await asyncio.wait_for(serving, WAIT)

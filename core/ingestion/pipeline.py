"""A book's way into the library, from a request to a finished job."""

import logging
from collections.abc import Mapping
from pathlib import Path

from core.errors import FootnoteError
from core.ingestion.book_title import title_of
from core.ingestion.bookkeeping import Bookkeeping
from core.ingestion.catching_up import CatchingUp
from core.ingestion.discovery import open_book
from core.ingestion.embedding import Embedding
from core.ingestion.intake import Intake
from core.ingestion.mending import Mending
from core.ingestion.progress import Cancelled, OnProgress, Tally
from core.ingestion.reading import Reading
from core.ingestion.request import REINDEX, IngestRequest, Mode
from core.ingestion.shelving import Shelving
from core.ports import Embedder, Index
from core.store.embedding_cache import EmbeddingCache
from core.store.job import Job, JobStatus
from core.store.jobs import Jobs
from core.store.library import Library

log = logging.getLogger(__name__)


class Ingestion:
    """Takes books in. A book is found by words as soon as it is read, and by meaning once it is embedded.

    What must be unpacked or fetched goes to *scratch*. *reading* lends the processes that read files, for whoever
    ingests often; without it each job starts its own and ends them.
    """

    def __init__(
        self,
        *,
        library: Library,
        jobs: Jobs,
        index: Index,
        embedder: Embedder,
        cache: EmbeddingCache,
        scratch: Path,
        allows_private: bool = False,
        reading: Reading | None = None,
    ) -> None:
        self._library = library
        self._jobs = jobs
        self._index = index
        self._scratch = scratch
        self._allows_private = allows_private
        embedding = Embedding(embedder=embedder, cache=cache)
        self._bookkeeping = Bookkeeping(library=library, embedding=embedding)
        self._shelving = Shelving(library=library, index=index)
        self._intake = Intake(library=library, shelving=self._shelving, embedding=embedding, reading=reading)
        self._embedding = embedding
        self._mending = Mending(library=library, index=index, embedding=embedding)
        self._catching_up = CatchingUp(library=library, index=index, embedding=embedding)

    async def ingest(self, request: IngestRequest, *, on_progress: OnProgress | None = None) -> Job:
        """Do what is asked now; the finished job says how it went, also when it failed.

        A job that a killed process left behind is taken up again instead of asked for twice. Where another job
        works on the book, the new one is returned still queued.
        """
        return await self._do(request.book, request.source, request.mode, request, on_progress)

    async def reindex(self, book: str, *, on_progress: OnProgress | None = None) -> Job:
        """Make a book's index anew from the library, and move it to the embedding model in use.

        Members go on finding it meanwhile: by words at every moment, by meaning more and more.

        Raises:
            UnknownBook: there is no such book.
        """
        source = (await self._library.book(book, group=None)).source or ""
        return await self._do(book, source, REINDEX, None, on_progress)

    async def run(self, job: Job, *, on_progress: OnProgress | None = None) -> Job:
        """Bring a claimed job to its end: completed, failed or cancelled.

        Cancelled itself because the process stops, it leaves the job as it is, to go on at the next start.
        """
        tally = Tally(job, jobs=self._jobs, on_progress=on_progress)
        try:
            await self._work(job, tally)
        except Cancelled:
            return await self._jobs.stopped(tally.job)
        except FootnoteError as error:
            return await self._jobs.fail(tally.job, error.message)
        except Exception:
            log.exception("job %s broke down", job.id)
            return await self._jobs.fail(tally.job, f"Something broke; the log says what, under job {job.id}.")
        return await self._jobs.finish(tally.job)

    async def clear_leftovers(self) -> None:
        """Remove from the index what was deleted from the library while nobody could."""
        await self._shelving.clear_stale(None)

    async def recover(self) -> int:
        """At start, holding the data folder: queue what an earlier process left undone; how many jobs wait now.

        That is its interrupted jobs, and for each book whose embeddings or entries are incomplete a job that
        completes them.
        """
        await self._jobs.requeue_interrupted()
        await self.clear_leftovers()
        waiting = {job.book for job in await self._jobs.list(limit=1000) if job.status is JobStatus.QUEUED}
        for book in await self._library.books(group=None):
            if book.id not in waiting and (book.pending_count or not await self._mending.is_whole(book)):
                await self._jobs.create(book=book.id, source=book.source or "", mode=REINDEX, group=book.group)
                waiting.add(book.id)
        return len(waiting)

    async def _do(
        self, book: str, source: str, mode: str, request: IngestRequest | None, on_progress: OnProgress | None
    ) -> Job:
        options = request.options if request else {}
        job = await self._left_behind(book, source, mode, options) or await self._jobs.create(
            book=book,
            source=source,
            mode=mode,
            group=request.group if request else None,
            requested_by=request.requested_by if request else None,
            options=options,
        )
        claimed = await self._jobs.claim(job.id)
        return await self.run(claimed, on_progress=on_progress) if claimed else job

    async def _left_behind(self, book: str, source: str, mode: str, options: Mapping[str, object]) -> Job | None:
        for job in await self._jobs.list(book=book):
            asks_the_same = (job.source, job.mode, _said(job.options)) == (source, mode, _said(options))
            if job.status is JobStatus.QUEUED and asks_the_same:
                return job
        return None

    async def _work(self, job: Job, tally: Tally) -> None:
        if job.mode == REINDEX:
            await self._bookkeeping.move(job.book)
            await self._repair(job.book, tally)
        else:
            await self._take_in(IngestRequest.from_job(job), tally)
        await self._catching_up.catch_up(job.book, tally)
        if job.mode in {REINDEX, Mode.RECREATE}:
            await self._index.keep_spaces(await self._bookkeeping.models())
        await self._embedding.trim()

    async def _take_in(self, request: IngestRequest, tally: Tally) -> None:
        async with open_book(request.source, scratch=self._scratch, allows_private=self._allows_private) as opened:
            request = await self._bookkeeping.open(request, find_title=lambda: title_of(opened.files))
            for number, sentence in enumerate(opened.refused, 1):
                await tally.left_out(f"left out ({number})", sentence)
            await self._repair(request.book, tally)
            await self._intake.take_in(request, opened, tally)

    async def _repair(self, book: str, tally: Tally) -> None:
        await self._shelving.clear_stale(book)
        await tally.created(await self._mending.mend(book))


def _said(options: Mapping[str, object]) -> dict[str, object]:
    """The options without those that say nothing."""
    return {name: value for name, value in options.items() if value is not None}

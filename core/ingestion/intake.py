"""Takes the changed files of a book into the library: read, placed, cut, stored, found by words."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from core.errors import LibraryError
from core.ingestion.changes import Changes, book_stamp, context_hash, find_changes
from core.ingestion.discovery import OpenedBook
from core.ingestion.embedding import Embedding
from core.ingestion.gathering import Gathering
from core.ingestion.lesson import LESSONS_PER_FILE, Reader
from core.ingestion.one_ahead import one_ahead
from core.ingestion.placing import Placing
from core.ingestion.progress import Tally
from core.ingestion.reading import ReadFile, Reading, open_reading
from core.ingestion.request import IngestRequest, Mode
from core.ingestion.shelving import PlacedFile, Shelving
from core.model import Place
from core.ports import Vector
from core.store.library import FileRecord, Library

GROUP_CHUNKS = 128
"""About how many chunks are embedded and put at once: enough to work in batches, few enough to hold in memory."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Files that are stored together, with the embeddings that could be had at once."""

    files: Sequence[PlacedFile]
    embeddings: Mapping[str, Vector]


class Intake:
    """Reads a book's changed files and replaces them one by one."""

    def __init__(
        self, *, library: Library, shelving: Shelving, embedding: Embedding, reading: Reading | None
    ) -> None:
        self._reading = reading
        self._library = library
        self._shelving = shelving
        self._embedding = embedding

    async def take_in(self, request: IngestRequest, source: OpenedBook, tally: Tally) -> None:
        """Bring the library up to date with *source*; a file that cannot be read is named and stays as it was."""
        stamp, known = book_stamp(source.stamp, request.base_url), await self._library.source_stamp(request.book)
        if stamp and stamp == known and request.mode is Mode.INCREMENTAL:
            files = await self._library.file_count(request.book)
            await tally.start_reading(files=files, skipped=files)
            return
        if known:
            # Until the last file is in, the book is of no state that could be told by a stamp.
            await self._library.note_source_stamp(request.book, "")
        await self._renew(request, source, tally)
        if stamp and not tally.job.files_failed:
            await self._library.note_source_stamp(request.book, stamp)

    async def _renew(self, request: IngestRequest, source: OpenedBook, tally: Tally) -> None:
        records = await self._library.records(request.book, is_brief=True)
        async with self._opened_reading() as reading:
            if not records:
                # All of a new book will be read: the processes start while its files are looked at.
                reading.start()
            changes = await find_changes(
                await asyncio.to_thread(lambda: source.files),
                records,
                mode=request.mode,
                base_url=request.base_url,
                since=tally.job.created_at,
                unseen=source.unseen,
                parts_of=source.reader.parts,
            )
            await tally.start_reading(files=changes.total + len(source.unseen), skipped=len(changes.unchanged))
            for unseen in source.unseen:
                await tally.failed(unseen.what, unseen.reason)
            if changes.stamps:
                await self._library.note_stamps(request.book, changes.stamps)
            if changes.to_read:
                await self._read(request, source.reader, reading, changes, tally)
        if changes.gone:
            await tally.deleted(await self._shelving.remove(request.book, changes.gone))
        orders = {each.path: each.order for each in changes.unchanged}
        await self._library.reorder(request.book, orders, span=LESSONS_PER_FILE)

    async def _read(
        self, request: IngestRequest, reader: Reader, reading: Reading, changes: Changes, tally: Tally
    ) -> None:
        gathering = _gathering(request, changes, await self._library.places(request.book))
        files = reading.read(reader, changes.to_read)
        groups = self._groups(request, files, changes, gathering, tally)
        # The next files are read and embedded while these are stored.
        async with one_ahead(groups) as ready:
            async for group in ready:
                replaced = await self._shelving.replace(request.book, group.files, group.embeddings)
                names = [placed.file.record.source_file for placed in group.files]
                await tally.read(names, created=len(replaced.created), deleted=len(replaced.deleted))

    async def _groups(
        self,
        request: IngestRequest,
        files: AsyncIterator[ReadFile],
        changes: Changes,
        gathering: Gathering,
        tally: Tally,
    ) -> AsyncGenerator[_Group, None]:
        async for read in files:
            problem = read.problem or _gathered(read, gathering, changes, request.base_url)
            if problem is not None:
                gathering.failed(read.source.path)
                await tally.failed(read.source.path, problem)
            for path, sentence in gathering.displaced():
                await tally.left_out(path, sentence)
            if gathering.is_whole and gathering.chunk_count >= GROUP_CHUNKS:
                yield await self._grouped(gathering.take())
        if placed := gathering.take():
            yield await self._grouped(placed)

    async def _grouped(self, files: list[PlacedFile]) -> _Group:
        chunks = [chunk for placed in files for chunk in placed.file.chunks]
        return _Group(files, await self._embedding.at_once(chunks))

    @asynccontextmanager
    async def _opened_reading(self) -> AsyncIterator[Reading]:
        if self._reading is not None:
            yield self._reading
            return
        async with open_reading() as reading:
            yield reading


def _gathered(read: ReadFile, gathering: Gathering, changes: Changes, base_url: str | None) -> str | None:
    """Place what was read of a file, or say why it cannot be placed."""
    record = FileRecord(
        read.source.path,
        changes.hashes.get(read.source.path, ""),
        context_hash=context_hash(read.source, base_url),
        stamp=changes.new_stamps.get(read.source.path, ""),
    )
    try:
        gathering.add(record, read.lessons)
    except LibraryError as error:
        return error.message
    return None


def _gathering(request: IngestRequest, changes: Changes, places: Mapping[str, Sequence[Place]]) -> Gathering:
    stay = {*(source.path for source in changes.unchanged), *changes.out_of_sight}
    read = {source.path for source in changes.to_read}
    former = {path: each for path, each in places.items() if path in read}
    taken = [place for path, each in places.items() if path in stay for place in each]
    # A book that is made anew counts its lessons anew.
    held = {} if request.mode is Mode.RECREATE else former
    placing = Placing(request.book, taken=taken, held=held)
    return Gathering(placing, former=former, base_url=request.base_url)

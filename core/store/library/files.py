"""A book's files, each replaced as one step: a reader sees the old file or the new one, never half of one."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from core.model import Chunk, Place
from core.store.connection import Row
from core.store.library.chains import check_chains
from core.store.library.records import FileRecord, LessonRow, NewFile, Replaced
from core.store.library.replacing import delete_files, replace_files
from core.store.library.rows import to_place
from core.store.library.shelf import Shelf


class Files(Shelf):
    """Which files a book was made from, and what became of them."""

    async def records(self, book_id: str, *, is_brief: bool = False) -> dict[str, FileRecord]:
        """Every file of a book as it was last ingested, by its path; *is_brief* leaves out places and chunks."""
        rows = await self._database.fetch_all(
            "SELECT source_file, file_hash, ingested_at, context_hash, stamp FROM files WHERE book = ?", (book_id,)
        )
        places = {} if is_brief else await self.places(book_id)
        ids: dict[str, list[str]] = defaultdict(list)
        for row in () if is_brief else await self._chunk_rows(book_id):
            ids[row["source_file"]].append(row["id"])
        return {
            name: FileRecord(name, file_hash, tuple(ids.get(name, ())), places.get(name, ()), at, context, stamp)
            for name, file_hash, at, context, stamp in rows
        }

    async def places(self, book_id: str) -> dict[str, tuple[Place, ...]]:
        """Where the lessons of each file stand, in reading order."""
        rows = await self._database.fetch_all("SELECT * FROM lessons WHERE book = ? ORDER BY position", (book_id,))
        places: dict[str, list[Place]] = defaultdict(list)
        for row in rows:
            places[row["source_file"]].append(to_place(row))
        return {file: tuple(each) for file, each in places.items()}

    async def _chunk_rows(self, book_id: str) -> list[Row]:
        return await self._database.fetch_all(
            "SELECT chunks.id, chunks.source_file FROM chunks JOIN lessons USING (parent_id) "
            "WHERE chunks.book = ? ORDER BY lessons.position, idx",
            (book_id,),
        )

    async def replace_file(
        self,
        book_id: str,
        record: FileRecord,
        lessons: Sequence[LessonRow],
        chunks: Sequence[Chunk],
        *,
        pending: Iterable[str] = (),
    ) -> Replaced:
        """Put a file's *lessons* and *chunks* in place of what it had, and say which ids came, stayed and went.

        Those that went are recorded as stale and those in *pending* as waiting for an embedding, in the same
        transaction. A lesson whose place another file held until now is taken over; that file is read again
        next time.

        Raises:
            LibraryError: the chunks do not form whole chains; nothing was changed.
        """
        return await self.replace_files(book_id, [NewFile(record, lessons, chunks)], pending=tuple(pending))

    async def replace_files(
        self, book_id: str, files: Sequence[NewFile], *, pending: Collection[str] = (), paid: Collection[str] = ()
    ) -> Replaced:
        """The same for several files at once, in one transaction. Chunks in *paid* owe no embedding any more.

        Raises:
            LibraryError: the chunks of a file do not form whole chains; nothing was changed.
        """
        for file in files:
            check_chains(book_id, file.record.source_file, file.lessons, file.chunks)
        async with self._database.write() as transaction:
            return await replace_files(transaction, book_id, files, pending=pending, paid=paid)

    async def delete_files(self, book_id: str, source_files: Iterable[str]) -> list[str]:
        """Remove files with their lessons and chunks; the chunk ids that went away, recorded as stale."""
        async with self._database.write() as transaction:
            return await delete_files(transaction, book_id, source_files)

    async def note_stamps(self, book_id: str, stamps: Mapping[str, str]) -> None:
        """Write down what vouches for files whose bytes were found to be the same."""
        async with self._database.write() as transaction:
            await transaction.execute_many(
                "UPDATE files SET stamp = ? WHERE book = ? AND source_file = ?",
                [(stamp, book_id, file) for file, stamp in stamps.items()],
            )

    async def file_count(self, book_id: str) -> int:
        row = await self._database.fetch_one("SELECT count(*) FROM files WHERE book = ?", (book_id,))
        return int(row[0]) if row else 0

    async def source_stamp(self, book_id: str) -> str:
        """What vouched for the book's whole source when it was last taken in; empty where nothing does."""
        row = await self._database.fetch_one("SELECT stamp FROM books WHERE id = ?", (book_id,))
        return str(row["stamp"]) if row else ""

    async def note_source_stamp(self, book_id: str, stamp: str) -> None:
        """Write down what vouches for the whole source, unless a file of it is to be read again."""
        await self._database.write_one(
            "UPDATE books SET stamp = iif(EXISTS (SELECT 1 FROM files WHERE book = ?1 AND file_hash = ''), "
            "'', ?2) WHERE id = ?1",
            (book_id, stamp),
        )

    async def reorder(self, book_id: str, orders: Mapping[str, int], *, span: int) -> None:
        """Move files to their *orders* in the book, each *span* positions long; within a file nothing moves."""
        rows = await self._database.fetch_all(
            "SELECT source_file, min(position), max(position) FROM lessons WHERE book = ? GROUP BY source_file",
            (book_id,),
        )
        stand = {file: (first // span, last // span) for file, first, last in rows}
        moved = {
            file: order for file, order in orders.items() if stand.get(file, (order, order)) != (order, order)
        }
        if not moved:
            return
        async with self._database.write() as transaction:
            await transaction.execute_many(
                "UPDATE lessons SET position = ?1 + position % ?2 WHERE book = ?3 AND source_file = ?4",
                [(order * span, span, book_id, file) for file, order in moved.items()],
            )

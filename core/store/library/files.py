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

    async def records(self, book_id: str, *, with_chunks: bool = True) -> dict[str, FileRecord]:
        """Every file of a book as it was last ingested, by its path; *with_chunks* False leaves out their ids."""
        files = await self._database.fetch_all("SELECT * FROM files WHERE book = ?", (book_id,))
        lessons = await self._database.fetch_all(
            "SELECT * FROM lessons WHERE book = ? ORDER BY position", (book_id,)
        )
        chunks = await self._chunk_rows(book_id) if with_chunks else []
        places: dict[str, list[Place]] = defaultdict(list)
        for row in lessons:
            places[row["source_file"]].append(to_place(row))
        ids: dict[str, list[str]] = defaultdict(list)
        for row in chunks:
            ids[row["source_file"]].append(row["id"])
        return {
            row["source_file"]: FileRecord(
                source_file=row["source_file"],
                file_hash=row["file_hash"],
                chunk_ids=tuple(ids[row["source_file"]]),
                places=tuple(places[row["source_file"]]),
                ingested_at=row["ingested_at"],
                context_hash=row["context_hash"],
            )
            for row in files
        }

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

    async def reorder(self, book_id: str, orders: Mapping[str, int], *, span: int) -> None:
        """Move files to their *orders* in the book, each *span* positions long; within a file nothing moves."""
        async with self._database.write() as transaction:
            await transaction.execute_many(
                "UPDATE lessons SET position = ?1 + position % ?2 WHERE book = ?3 AND source_file = ?4 "
                "AND position <> ?1 + position % ?2",
                [(order * span, span, book_id, file) for file, order in orders.items()],
            )

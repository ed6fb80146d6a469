"""Chunks by id, with their neighbours and their lesson."""

from collections.abc import AsyncIterator, Iterable

from core.model import Chunk
from core.store.library.rows import to_chunk
from core.store.library.shelf import READABLE, Shelf, as_array

BATCH_CHUNKS = 500


class Chunks(Shelf):
    """Reads chunks; what the index finds is looked up here."""

    async def chunks(self, ids: Iterable[str]) -> dict[str, Chunk]:
        """Those of *ids* that exist, by id, in the order given."""
        wanted = list(dict.fromkeys(ids))
        rows = await self._database.fetch_all(
            "SELECT * FROM chunks WHERE id IN (SELECT value FROM json_each(?))", (as_array(wanted),)
        )
        found = {row["id"]: to_chunk(row) for row in rows}
        return {id: found[id] for id in wanted if id in found}

    async def chunk(self, chunk_id: str, *, group: str | None) -> Chunk | None:
        """One chunk of a book that *group* may read, or None."""
        row = await self._database.fetch_one(
            f"SELECT chunks.* FROM chunks JOIN books ON books.id = chunks.book WHERE chunks.id = ? AND {READABLE}",  # noqa: S608 - no value is part of the text
            (chunk_id, group, group),
        )
        return to_chunk(row) if row else None

    async def neighbours(self, chunk_id: str, *, before: int = 1, after: int = 1) -> list[Chunk]:
        """The chunk with those around it in its lesson, in reading order; empty if there is no such chunk."""
        rows = await self._database.fetch_all(
            "SELECT near.* FROM chunks AS here JOIN chunks AS near ON near.parent_id = here.parent_id "
            "WHERE here.id = ? AND near.idx BETWEEN here.idx - ? AND here.idx + ? ORDER BY near.idx",
            (chunk_id, before, after),
        )
        return [to_chunk(row) for row in rows]

    async def lesson(self, parent_id: str) -> list[Chunk]:
        """All chunks of one lesson, in reading order."""
        rows = await self._database.fetch_all(
            "SELECT * FROM chunks WHERE parent_id = ? ORDER BY idx", (parent_id,)
        )
        return [to_chunk(row) for row in rows]

    async def all_chunks(self, book_id: str, *, batch: int = BATCH_CHUNKS) -> AsyncIterator[list[Chunk]]:
        """Every chunk of a book, in batches, so that a book of any size can be gone through."""
        last = ""
        while True:
            rows = await self._database.fetch_all(
                "SELECT * FROM chunks WHERE book = ? AND id > ? ORDER BY id LIMIT ?", (book_id, last, batch)
            )
            if not rows:
                return
            yield [to_chunk(row) for row in rows]
            last = rows[-1]["id"]

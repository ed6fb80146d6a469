"""What the index still owes the library: entries to remove, and embeddings to add."""

from collections.abc import Iterable

from core.store.library.shelf import Shelf, as_array

BATCH_IDS = 1000


class Debts(Shelf):
    """Ids written down in the transaction that made them due, and struck out when the index has paid."""

    async def stale(self, book_id: str | None = None, limit: int = BATCH_IDS) -> list[str]:
        """Chunk ids that no longer exist here and must leave the index."""
        rows = await self._database.fetch_all(
            "SELECT chunk_id FROM stale_points WHERE (? IS NULL OR book = ?) ORDER BY chunk_id LIMIT ?",
            (book_id, book_id, limit),
        )
        return [row["chunk_id"] for row in rows]

    async def clear_stale(self, ids: Iterable[str]) -> None:
        """These have left the index."""
        await self._strike("DELETE FROM stale_points WHERE chunk_id IN (SELECT value FROM json_each(?))", ids)

    async def pending(self, book_id: str | None = None, limit: int = BATCH_IDS) -> list[str]:
        """Chunk ids that the index holds without an embedding, in reading order of their book."""
        rows = await self._database.fetch_all(
            "SELECT chunk_id FROM pending_embeddings JOIN chunks ON chunks.id = chunk_id "
            "WHERE (? IS NULL OR chunks.book = ?) "
            "ORDER BY chunks.book, chunks.module, chunks.chapter, chunks.lesson, chunks.idx LIMIT ?",
            (book_id, book_id, limit),
        )
        return [row["chunk_id"] for row in rows]

    async def mark_pending(self, ids: Iterable[str]) -> None:
        """These need an embedding; ids that no longer exist are left out."""
        await self._strike(
            "INSERT OR IGNORE INTO pending_embeddings (chunk_id) "
            "SELECT id FROM chunks WHERE id IN (SELECT value FROM json_each(?))",
            ids,
        )

    async def clear_pending(self, ids: Iterable[str]) -> None:
        """These have their embedding."""
        await self._strike(
            "DELETE FROM pending_embeddings WHERE chunk_id IN (SELECT value FROM json_each(?))", ids
        )

    async def _strike(self, sql: str, ids: Iterable[str]) -> None:
        async with self._database.write() as transaction:
            await transaction.execute(sql, (as_array(ids),))

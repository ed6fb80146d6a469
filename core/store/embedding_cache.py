"""Vectors that were paid for once, by the model that made them and the hash of what they stand for."""

from collections.abc import Iterable, Mapping

import numpy as np

from core.ports import Vector
from core.store.database import Database
from core.store.library.shelf import as_array

KEPT_BEYOND = 20_000
"""Vectors kept beyond one for each passage: about 30 MB, enough for a large book to leave and come back."""
_FLOATS = np.dtype("<f4")


class EmbeddingCache:
    """Keeps vectors across ingestions, moves and rebuilt indexes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, model: str, content_hashes: Iterable[str]) -> dict[str, Vector]:
        """The vectors known for these hashes; those not known are left out."""
        rows = await self._database.fetch_all(
            "SELECT content_hash, vector FROM embedding_cache "
            "WHERE model = ? AND content_hash IN (SELECT value FROM json_each(?))",
            (model, as_array(content_hashes)),
        )
        return {row["content_hash"]: np.frombuffer(row["vector"], dtype=_FLOATS) for row in rows}

    async def put(self, model: str, vectors: Mapping[str, Vector]) -> None:
        """Keep vectors by the hash of what they stand for."""
        await self._database.write_whole(
            lambda transaction: transaction.execute_many(
                "INSERT OR REPLACE INTO embedding_cache (model, content_hash, vector) VALUES (?, ?, ?)",
                [(model, digest, vector.astype(_FLOATS).tobytes()) for digest, vector in vectors.items()],
            )
        )

    async def trim(self, *, kept_beyond: int = KEPT_BEYOND) -> None:
        """Let the oldest vectors go that are more than the library's passages need; a year of edits makes many.

        One that is still needed may be among them. It is made anew should the index ever be lost.
        """
        await self._database.write_one(
            "DELETE FROM embedding_cache WHERE rowid IN (SELECT rowid FROM embedding_cache ORDER BY rowid LIMIT "
            "max(0, (SELECT count(*) FROM embedding_cache) - (SELECT count(*) FROM chunks) - ?))",
            (kept_beyond,),
        )

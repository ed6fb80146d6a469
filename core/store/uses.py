"""How much members and groups asked of us: what limits, budgets and `/usage` are read from."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from core.store.database import Database

MINUTE = 60.0
DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Usage:
    """What was used in a stretch of time."""

    questions: int
    searches: int
    tokens: int
    cost_usd: float = 0.0


class Uses:
    """Counts uses. They are rows, so a restart resets nothing. *clock* gives seconds since 1970."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    async def record_search(self, *, group: str, member_id: str) -> None:
        """Count one search. Questions are counted by the ledger, together with their turn."""
        async with self._database.write() as tx:
            await tx.execute(
                "INSERT INTO uses (kind, group_key, member_id, at) VALUES ('search', ?, ?, ?)",
                (group, member_id, self._clock()),
            )

    async def refuse(self, event_id: str) -> None:
        """Take a question out of the count: it was over the limit and is not answered."""
        async with self._database.write() as tx:
            await tx.execute("DELETE FROM uses WHERE event_id = ?", (event_id,))

    async def wait_seconds(
        self, *, group: str, member_id: str | None, limit: int, before: str | None, window: float = MINUTE
    ) -> float:
        """How long until one more use fits under *limit* uses per *window*; 0 if it fits now.

        *member_id* None counts the whole group. *before* is the event that asks: only earlier uses count.
        A use later than now was counted before the clock was set back; it keeps nobody waiting.
        """
        now = self._clock()
        rows = await self._database.fetch_all(
            "SELECT at FROM uses WHERE group_key = ?1 AND (?2 IS NULL OR member_id = ?2) AND at > ?3"
            " AND at <= ?6"
            " AND (?4 IS NULL OR id < coalesce((SELECT id FROM uses WHERE event_id = ?4), 0x7fffffffffffffff))"
            " ORDER BY at DESC LIMIT ?5",
            (group, member_id, now - window, before, limit, now + 1.0),
        )
        return max(0.0, rows[-1]["at"] + window - now) if len(rows) >= limit else 0.0

    async def since(self, moment: float, *, group: str, member_id: str | None = None) -> Usage:
        """What a member, or with *member_id* None the whole group, used after *moment*."""
        row = await self._database.fetch_one(
            "SELECT coalesce(sum(kind = 'ask'), 0) AS questions, coalesce(sum(kind = 'search'), 0) AS searches,"
            " coalesce(sum(tokens), 0) AS tokens, coalesce(sum(cost_usd), 0.0) AS cost FROM uses"
            " WHERE group_key = ?1 AND (?2 IS NULL OR member_id = ?2) AND at >= ?3",
            (group, member_id, moment),
        )
        assert row is not None, "an aggregate always gives one row"
        return Usage(row["questions"], row["searches"], row["tokens"], row["cost"])

    async def today(self, *, group: str, member_id: str | None = None) -> Usage:
        """What was used since midnight, UTC."""
        return await self.since(self._clock() // DAY * DAY, group=group, member_id=member_id)

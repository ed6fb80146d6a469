"""What we know of the places where members talk: which are ours, which are muted, when we last listened."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from core.model import SessionKey
from core.store.database import Database
from core.store.ledger import EMPTY_FORGOTTEN


@dataclass(frozen=True, slots=True)
class Visit:
    """A conversation that a member took part in."""

    key: SessionKey
    first_words: str
    asked_at: str
    """When they last asked there."""


_PLACE = "platform = ? AND group_key = ? AND channel = ? AND thread = ?"


class Places:
    """Places by SessionKey. *clock* gives seconds since 1970."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    async def is_ours(self, key: SessionKey) -> bool:
        """Whether we were asked something here before, even if it was forgotten since."""
        row = await self._database.fetch_one(
            f"SELECT 1 FROM turns WHERE {_PLACE} LIMIT 1",  # noqa: S608 - our names
            _place(key),
        )
        return row is not None

    async def recent(self, platform: str, *, since: float) -> list[SessionKey]:
        """Where we were asked something after *since*, newest first."""
        rows = await self._database.fetch_all(
            "SELECT group_key, channel, thread FROM turns WHERE platform = ? AND received_at >= ?"
            " GROUP BY group_key, channel, thread ORDER BY max(id) DESC",
            (platform, since),
        )
        return [SessionKey(platform, row["group_key"], row["channel"], row["thread"]) for row in rows]

    async def visits(
        self, group: str, member_id: str, *, channel: str | None = None, limit: int = 5
    ) -> list[Visit]:
        """Where a member asked last, newest first; with *channel*, only there."""
        rows = await self._database.fetch_all(
            "SELECT platform, channel, thread, json_extract(question, '$.text') AS words, visits.asked_at"
            " FROM (SELECT min(id) AS first_id, max(id) AS last_id, max(asked_at) AS asked_at FROM turns"
            "  WHERE group_key = ?1 AND member_id = ?2 AND (?3 IS NULL OR channel = ?3) AND question <> '{}'"
            "  GROUP BY platform, channel, thread) AS visits"
            " JOIN turns ON turns.id = first_id ORDER BY last_id DESC LIMIT ?4",
            (group, member_id, channel, limit),
        )
        return [
            Visit(SessionKey(row["platform"], group, row["channel"], row["thread"]), row["words"], row["asked_at"])
            for row in rows
        ]

    async def mute(self, key: SessionKey) -> None:
        """From now on, speak here only when spoken to."""
        async with self._database.write() as tx:
            await tx.execute("INSERT OR IGNORE INTO mutes VALUES (?, ?, ?, ?)", _place(key))

    async def unmute(self, key: SessionKey) -> None:
        async with self._database.write() as tx:
            await tx.execute(f"DELETE FROM mutes WHERE {_PLACE}", _place(key))  # noqa: S608 - our names

    async def is_muted(self, key: SessionKey) -> bool:
        row = await self._database.fetch_one(f"SELECT 1 FROM mutes WHERE {_PLACE}", _place(key))  # noqa: S608 - our names
        return row is not None

    async def listened(self, platform: str) -> None:
        """Note that we hear the platform now."""
        async with self._database.write() as tx:
            await tx.execute(
                "INSERT INTO presence VALUES (?1, ?2) ON CONFLICT (platform) DO UPDATE SET seen_at = ?2",
                (platform, self._clock()),
            )

    async def last_listened(self, platform: str) -> float | None:
        """When we last heard the platform; None if never."""
        row = await self._database.fetch_one("SELECT seen_at FROM presence WHERE platform = ?", (platform,))
        return row["seen_at"] if row else None

    async def forget(self, key: SessionKey) -> int:
        """Take every word of the turns here out of the ledger; how many there were.

        The rows stay: they keep an event from being answered twice, and hold nothing a member wrote. A turn
        that is still on its way is emptied when it ends. The caller scrubs the file.
        """
        async with self._database.write() as tx:
            await tx.execute(
                f"DELETE FROM feedback WHERE turn_id IN (SELECT id FROM turns WHERE {_PLACE})",  # noqa: S608 - our names
                _place(key),
            )
            rows = await tx.fetch_all(
                f"UPDATE turns SET is_forgotten = 1 WHERE {_PLACE} AND is_forgotten = 0 RETURNING id",  # noqa: S608 - our names
                _place(key),
            )
            await tx.execute(EMPTY_FORGOTTEN)
        return len(rows)

    async def scrub_if_owed(self) -> None:
        """Have the words that were taken out leave the file too."""
        await self._database.scrub_if_owed()

    async def delete_before(self, moment: float) -> int:
        """Delete finished turns and counted uses older than *moment*; how many turns there were.

        The caller scrubs the file.
        """
        async with self._database.write() as tx:
            rows = await tx.fetch_all(
                "DELETE FROM turns WHERE finished_at < ? AND state IN ('done', 'failed', 'joined') RETURNING id",
                (moment,),
            )
            await tx.execute("DELETE FROM uses WHERE at < ?", (moment,))
        return len(rows)


def _place(key: SessionKey) -> tuple[str, str, str, str]:
    return key.platform, key.group, key.channel, key.thread

"""How many turns there were and how long they took, counted from the ledger for whoever watches us."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.store.database import Database


@dataclass(frozen=True, slots=True)
class OutcomeTally:
    """How many turns of a platform ended in one way; those not ended are "open"."""

    platform: str
    outcome: str
    count: int


@dataclass(frozen=True, slots=True)
class WaitTally:
    """How long members of a platform waited for their replies."""

    platform: str
    within: tuple[int, ...]
    """For each limit asked about, how many replies came within it."""
    count: int
    seconds: float


class Tallies:
    """Counts finished and open turns of every platform."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def outcomes(self) -> list[OutcomeTally]:
        """Turns by platform and outcome: answer, refusal, notice, undelivered or open."""
        rows = await self._database.fetch_all(
            "SELECT platform, CASE state WHEN 'done' THEN coalesce(outcome, 'notice')"
            " WHEN 'failed' THEN 'undelivered' ELSE 'open' END AS ending, count(*) AS n"
            " FROM turns WHERE state <> 'joined'"
            " GROUP BY platform, ending ORDER BY platform, ending"
        )
        return [OutcomeTally(row["platform"], row["ending"], row["n"]) for row in rows]

    async def waits(self, limits: Sequence[float]) -> list[WaitTally]:
        """Seconds from hearing a question to having shown its reply, by platform, against *limits*."""
        within = ", ".join("sum(finished_at - received_at <= ?)" for _ in limits)
        rows = await self._database.fetch_all(
            f"SELECT platform, count(*), sum(finished_at - received_at), {within}"  # noqa: S608 - no value is part of the text
            " FROM turns WHERE state = 'done' GROUP BY platform ORDER BY platform",
            tuple(limits),
        )
        return [WaitTally(row[0], tuple(row[3:]), row[1], row[2]) for row in rows]

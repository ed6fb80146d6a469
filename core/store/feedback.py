"""What members thought of answers, and what a leader learns from it."""

import json
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from core.model.answer import utc_now
from core.store.database import Database

DAY = 86_400.0


class Verdict(StrEnum):
    """👍 or 👎."""

    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class ReportedQuestion:
    """A question that the books did not answer, or not well."""

    text: str
    asked_at: str
    channel: str
    thread: str
    times: int = 1
    comments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """What to teach next week."""

    days: int
    answered: int
    unanswered: tuple[ReportedQuestion, ...]
    down_voted: tuple[ReportedQuestion, ...]
    up_votes: int = 0
    down_votes: int = 0


IsPrivate = Callable[[ReportedQuestion], Awaitable[bool]]
"""Tells whether a question is nobody's business but its members'; the platform may have to be asked."""


class Feedback:
    """Members' verdicts on answers: one per member and turn, the last one counts."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    async def give(self, turn_id: int, *, member_id: str, verdict: Verdict, comment: str | None = None) -> None:
        """Store a verdict, in place of an earlier one of the same member."""
        async with self._database.write() as tx:
            await tx.execute(
                "INSERT INTO feedback VALUES (?, ?, ?, ?, ?) ON CONFLICT (turn_id, member_id) DO UPDATE SET"
                " verdict = excluded.verdict, comment = coalesce(excluded.comment, comment),"
                " created_at = excluded.created_at",
                (turn_id, member_id, str(verdict), comment, utc_now()),
            )

    async def votes(self, turn_id: int) -> tuple[int, int]:
        """How many liked and disliked an answer."""
        row = await self._database.fetch_one(
            "SELECT coalesce(sum(verdict = 'up'), 0), coalesce(sum(verdict = 'down'), 0) FROM feedback"
            " WHERE turn_id = ?",
            (turn_id,),
        )
        assert row is not None, "an aggregate always gives one row"
        return row[0], row[1]

    async def report(
        self,
        *,
        group: str,
        days: int = 7,
        limit: int = 20,
        is_private: IsPrivate | None = None,
    ) -> Report:
        """A group's unanswered and down-voted questions of the last *days*, newest first.

        What *is_private* is left out before the same questions are counted as one.
        """
        since = self._clock() - days * DAY
        counts = await self._database.fetch_one(
            "SELECT"
            " (SELECT count(*) FROM turns WHERE group_key = ?1 AND outcome = 'answer' AND received_at >= ?2),"
            " coalesce(sum(verdict = 'up'), 0), coalesce(sum(verdict = 'down'), 0)"
            " FROM feedback JOIN turns ON turns.id = turn_id WHERE group_key = ?1 AND received_at >= ?2",
            (group, since),
        )
        assert counts is not None, "an aggregate always gives one row"
        unanswered, down_voted = [
            _merged(await _public(await self._questions(wanted, group, since), is_private))[:limit]
            for wanted in ("refused", "down-voted")
        ]
        return Report(days, counts[0], unanswered, down_voted, up_votes=counts[1], down_votes=counts[2])

    async def _questions(self, wanted: str, group: str, since: float) -> list[ReportedQuestion]:
        rows = await self._database.fetch_all(
            "SELECT json_extract(question, '$.text') AS text, asked_at, channel, thread, comments FROM"
            " (SELECT turns.*, sum(verdict = 'down') AS down, group_concat(comment, char(10)) AS comments"
            "  FROM turns LEFT JOIN feedback ON turn_id = turns.id"
            "  WHERE group_key = ?1 AND received_at >= ?2 AND question <> '{}' GROUP BY turns.id)"
            " WHERE (?3 = 'refused' AND outcome = 'refusal') OR (?3 = 'down-voted' AND down > 0) ORDER BY id DESC",
            (group, since, wanted),
        )
        return [
            ReportedQuestion(
                text=row["text"],
                asked_at=row["asked_at"],
                channel=row["channel"],
                thread=row["thread"],
                comments=tuple((row["comments"] or "").splitlines()),
            )
            for row in rows
        ]

    async def export(self, *, group: str | None = None) -> list[dict[str, object]]:
        """Every verdict with its question and reply, for an operator's own analysis."""
        rows = await self._database.fetch_all(
            "SELECT verdict, comment, feedback.created_at, question, reply, group_key FROM feedback"
            " JOIN turns ON turns.id = turn_id WHERE ?1 IS NULL OR group_key = ?1 ORDER BY turns.id",
            (group,),
        )
        return [
            {
                "verdict": row["verdict"],
                "comment": row["comment"],
                "created_at": row["created_at"],
                "group": row["group_key"],
                "question": json.loads(row["question"]).get("text"),
                "answer": (json.loads(row["reply"]) if row["reply"] else {}).get("text"),
            }
            for row in rows
        ]


async def _public(questions: list[ReportedQuestion], is_private: IsPrivate | None) -> list[ReportedQuestion]:
    if is_private is None:
        return questions
    return [each for each in questions if not await is_private(each)]


def _merged(questions: Iterable[ReportedQuestion]) -> tuple[ReportedQuestion, ...]:
    """Each question once, as it was asked first among *questions*, with how often and all that was said of it."""
    merged: dict[str, ReportedQuestion] = {}
    for each in questions:
        words = each.text.strip().casefold()
        known = merged.get(words)
        merged[words] = (
            replace(known, times=known.times + 1, comments=known.comments + each.comments) if known else each
        )
    return tuple(merged.values())

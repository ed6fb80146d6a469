"""The turn ledger: every event is a row before anything else happens, so that none is lost or answered twice."""

import json
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from core.model import Question, SessionKey
from core.model.limits import MAX_QUESTION_CHARS
from core.store import questions
from core.store.connection import Row
from core.store.database import Database, Transaction
from core.store.turn import NewTurn, Outcome, StoredTurn, TurnState, from_row

_OPEN = "('received', 'answering', 'answered', 'delivering')"
EMPTY_FORGOTTEN = (
    "UPDATE turns SET question = '{}', surface = '{}', reply = NULL, member_name = ''"
    " WHERE is_forgotten AND question <> '{}' AND state IN ('done', 'failed', 'joined')"
)
"""Takes the words out of finished turns whose conversation was forgotten."""
INSERT = (
    "INSERT INTO turns (event_id, nonce, platform, group_key, channel, thread, member_id, member_name, question,"
    " surface, state, may_join, is_late, asked_at, received_at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'received', ?, ?, ?, ?)"
    " ON CONFLICT (event_id) DO NOTHING RETURNING *"
)
STORE_REPLY = (
    "UPDATE turns SET state = 'answered', reply = ?, outcome = ?, reference = ?, reason = ?,"
    " request_id = ?, session_id = ? WHERE id = ? RETURNING *"
)
_POSTED = (
    "(SELECT json_group_array(message_id) FROM"
    " (SELECT message_id FROM turn_messages WHERE turn_id = turns.id ORDER BY position)) AS posted"
)
_PLACE = "platform = ? AND group_key = ? AND channel = ? AND thread = ?"


class Ledger:
    """Turns in flight and those that were. *clock* gives seconds since 1970."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    async def receive(self, new: NewTurn, *, join_seconds: float = 0.0) -> StoredTurn | None:
        """Store an event. None if it is already known; the earlier turn if its words were joined to that one."""
        if not new.may_join:
            row = await self._database.write_one(INSERT, self._values(new), is_urgent=True)
            return from_row(row, ()) if row else None

        async def store(tx: Transaction) -> StoredTurn | None:
            row = await tx.fetch_one(INSERT, self._values(new))
            if row is None:
                return None
            earlier = await self._joinable(tx, new, row["id"], join_seconds)
            if earlier is None:
                return from_row(row, ())
            return replace(earlier, question=await self._join(tx, earlier, new, row["id"]))

        return await self._database.write_whole(store, is_urgent=True)

    async def receive_answered(
        self, new: NewTurn, reply: Mapping[str, object], outcome: Outcome
    ) -> StoredTurn | None:
        """Store an event and its reply; None if it is already known. It is no use, and nothing is joined to it."""

        async def store(tx: Transaction) -> StoredTurn | None:
            row = await tx.fetch_one(INSERT, self._values(new))
            if row is None:
                return None
            return from_row(await tx.fetch_one(STORE_REPLY, _reply_values(row["id"], reply, outcome)) or row, ())

        return await self._database.write_whole(store, is_urgent=True)

    def _values(self, new: NewTurn) -> tuple[str | float, ...]:
        key = new.question.key
        return (
            new.event_id,
            secrets.token_hex(8),
            key.platform,
            key.group,
            key.channel,
            key.thread,
            new.member_id,
            new.member_name,
            questions.to_json(new.question),
            json.dumps(new.surface),
            new.may_join,
            new.is_late,
            new.asked_at,
            self._clock(),
        )

    async def _joinable(self, tx: Transaction, new: NewTurn, turn_id: int, seconds: float) -> StoredTurn | None:
        """The turn just before it in this place, if the same member asked it a moment ago and it still waits."""
        row = await tx.fetch_one(
            f"SELECT * FROM turns WHERE {_PLACE} AND id < ? AND state <> 'joined' ORDER BY id DESC LIMIT 1",  # noqa: S608 - our names
            (*_place(new.question.key), turn_id),
        )
        if row is None or row["member_id"] != new.member_id or row["state"] != TurnState.RECEIVED:
            return None
        if not row["may_join"] or row["received_at"] < self._clock() - seconds:
            return None
        earlier = from_row(row, ())
        has_other_selection = new.question.selected_text not in (None, earlier.question.selected_text)
        is_too_long = len(earlier.question.text) + 1 + len(new.question.text) > MAX_QUESTION_CHARS
        return None if has_other_selection or is_too_long else earlier

    async def _join(self, tx: Transaction, earlier: StoredTurn, new: NewTurn, turn_id: int) -> Question:
        joined = replace(earlier.question, text=f"{earlier.question.text}\n{new.question.text}")
        await tx.execute(
            "UPDATE turns SET question = ?, received_at = ? WHERE id = ?",
            (questions.to_json(joined), self._clock(), earlier.id),
        )
        await tx.execute(
            "UPDATE turns SET state = 'joined', joined_to = ?, finished_at = ? WHERE id = ?",
            (earlier.id, self._clock(), turn_id),
        )
        return joined

    async def answering(self, turn_id: int, *, is_again: bool = False) -> StoredTurn:
        """Work on the answer begins. Nothing is joined to the turn after this.

        Attempts are counted by process: one that begins it *is_again* does not add to them.
        """
        row = await self._database.write_one(
            "UPDATE turns SET state = 'answering', attempts = attempts + ? WHERE id = ?"  # noqa: S608 - our names
            f" RETURNING *, {_POSTED}",
            (not is_again, turn_id),
        )
        if row is None:
            raise KeyError(turn_id)
        await self._database.write_one(
            "INSERT INTO uses (kind, group_key, member_id, at, event_id) VALUES ('ask', ?, ?, ?, ?)"
            " ON CONFLICT (event_id) DO NOTHING",
            (row["group_key"], row["member_id"], self._clock(), row["event_id"]),
        )
        return _with_messages(row)

    async def answered(self, turn_id: int, reply: Mapping[str, object], outcome: Outcome) -> None:
        """The reply is known; from here on it is only delivered."""
        # Counted first: were the reply stored alone, a crash between would make it cost nothing.
        await self._database.write_one(
            "UPDATE uses SET tokens = ?, cost_usd = ? WHERE event_id = (SELECT event_id FROM turns WHERE id = ?)",
            (outcome.tokens_used, outcome.cost_usd, turn_id),
        )
        await self._database.write_one(STORE_REPLY, _reply_values(turn_id, reply, outcome))

    async def delivering(self, turn_id: int) -> None:
        await self._database.write_one("UPDATE turns SET state = 'delivering' WHERE id = ?", (turn_id,))

    async def posted(self, turn_id: int, message_id: str) -> None:
        """One more message shows this turn's reply; saying so twice is harmless."""
        await self._database.write_one(
            "INSERT INTO turn_messages (turn_id, position, message_id)"
            " SELECT ?1, (SELECT count(*) FROM turn_messages WHERE turn_id = ?1), ?2"
            " WHERE NOT EXISTS (SELECT 1 FROM turn_messages WHERE turn_id = ?1 AND message_id = ?2)",
            (turn_id, message_id),
        )

    async def done(self, turn_id: int) -> None:
        await self._end(turn_id, "done", None)

    async def failed(self, turn_id: int, reason: str) -> None:
        """It cannot be delivered, ever; *reason* is for the operator."""
        await self._end(turn_id, "failed", reason)

    async def _end(self, turn_id: int, state: str, reason: str | None) -> None:
        row = await self._database.write_one(
            "UPDATE turns SET state = ?, reason = coalesce(?, reason), finished_at = ? WHERE id = ?"
            " RETURNING is_forgotten",
            (state, reason, self._clock(), turn_id),
        )
        if row is not None and row["is_forgotten"]:
            await self._database.write_one(EMPTY_FORGOTTEN)

    async def open_turns(self, platform: str) -> list[StoredTurn]:
        """What is still owed to members of *platform*, in the order it was asked."""
        rows = await self._database.fetch_all(
            f"SELECT *, {_POSTED} FROM turns WHERE platform = ? AND state IN {_OPEN} ORDER BY id",  # noqa: S608 - our names
            (platform,),
        )
        return [_with_messages(row) for row in rows]

    async def get(self, turn_id: int) -> StoredTurn:
        """One turn by its number."""
        row = await self._database.fetch_one(f"SELECT *, {_POSTED} FROM turns WHERE id = ?", (turn_id,))  # noqa: S608 - our names
        if row is None:
            raise KeyError(turn_id)
        return _with_messages(row)

    async def find(self, handle: str, *, group: str) -> StoredTurn | None:
        """A group's turn by its event id, its nonce, its answer's request id or a message that shows it.

        None too where the conversation was forgotten.
        """
        row = await self._database.fetch_one(
            f"SELECT *, {_POSTED} FROM turns WHERE group_key = ?2 AND question <> '{{}}' AND"  # noqa: S608 - our names
            " (event_id = ?1 OR nonce = ?1 OR request_id = ?1 OR id IN"
            " (SELECT turn_id FROM turn_messages WHERE message_id = ?1)) ORDER BY id DESC LIMIT 1",
            (handle, group),
        )
        return _with_messages(row) if row else None

    async def latest_answer(self, key: SessionKey) -> StoredTurn | None:
        """The last turn of a conversation that the books answered."""
        row = await self._database.fetch_one(
            f"SELECT *, {_POSTED} FROM turns"  # noqa: S608 - our names
            f" WHERE {_PLACE} AND outcome = 'answer' AND reply IS NOT NULL"
            " ORDER BY id DESC LIMIT 1",
            _place(key),
        )
        return _with_messages(row) if row else None

    async def counts(self) -> dict[str, int]:
        """How many turns are in each state."""
        rows = await self._database.fetch_all("SELECT state, count(*) AS n FROM turns GROUP BY state")
        return {row["state"]: row["n"] for row in rows}


def _with_messages(row: Row) -> StoredTurn:
    return from_row(row, tuple(json.loads(row["posted"])))


def _reply_values(turn_id: int, reply: Mapping[str, object], outcome: Outcome) -> tuple[str | int | None, ...]:
    return (
        json.dumps(reply, ensure_ascii=False),
        outcome.kind,
        outcome.reference or None,
        outcome.reason or None,
        outcome.request_id or None,
        outcome.session_id or None,
        turn_id,
    )


def _place(key: SessionKey) -> tuple[str, str, str, str]:
    return key.platform, key.group, key.channel, key.thread

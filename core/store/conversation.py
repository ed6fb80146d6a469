"""One turn put into a session, inside a transaction of the caller's."""

import json
from collections.abc import Sequence

from core.model import Answer, Message, Question, Retrieval, Role
from core.model.answer import utc_now
from core.model.limits import LIVE_WINDOW_MESSAGES
from core.store.database import Transaction


async def append_turn(
    transaction: Transaction,
    session_id: str,
    question: Question,
    answer: Answer,
    retrievals: Sequence[Retrieval],
) -> bool:
    """Add the turn's messages and searches, and archive what leaves the live window.

    A turn that was added before for the same event is replaced where it stands: whoever was cut short between
    this and storing the reply asks again. Does nothing, and returns False, for a session that is not there and
    for a turn that was forgotten while it waited: what was forgotten is not brought back by a late answer.
    """
    event_id = question.event_id
    if await transaction.fetch_one("SELECT id FROM sessions WHERE id = ?", (session_id,)) is None:
        return False
    if await transaction.fetch_one("SELECT id FROM turns WHERE event_id = ? AND is_forgotten", (event_id,)):
        return False
    earlier = await _take_out(transaction, session_id, event_id) if event_id is not None else None
    first = earlier or await _next_position(transaction, "messages", session_id)
    last = await _add_messages(
        transaction, session_id, _to_messages(question, answer), first=first, event_id=event_id
    )
    await _add_retrievals(transaction, session_id, retrievals, event_id=event_id)
    await transaction.execute(
        "UPDATE messages SET archived = 1 WHERE session_id = ? AND archived = 0 AND position <= ?",
        (session_id, last - LIVE_WINDOW_MESSAGES),
    )
    await transaction.execute(
        "UPDATE sessions SET turn_count = turn_count + ?, updated_at = ?, archived = 0, model = ? WHERE id = ?",
        (0 if earlier else 1, utc_now(), answer.model_used, session_id),
    )
    return True


async def _take_out(transaction: Transaction, session_id: str, event_id: str) -> int | None:
    """Remove the turn of an event; the position it began at, or None where there was none."""
    gone = await transaction.fetch_all(
        "DELETE FROM messages WHERE session_id = ? AND event_id = ? RETURNING position", (session_id, event_id)
    )
    await transaction.execute(
        "DELETE FROM retrievals WHERE session_id = ? AND event_id = ?", (session_id, event_id)
    )
    return min((int(row["position"]) for row in gone), default=None)


def _to_messages(question: Question, answer: Answer) -> tuple[Message, Message]:
    cited = tuple(dict.fromkeys(citation.chunk.id for citation in answer.citations))
    return (
        Message(Role.USER, question.text, selected_text=question.selected_text),
        Message(
            Role.ASSISTANT,
            answer.text,
            created_at=answer.created_at,
            confidence=answer.confidence.score,
            cited_chunk_ids=cited,
        ),
    )


async def _add_messages(
    transaction: Transaction, session_id: str, messages: Sequence[Message], *, first: int, event_id: str | None
) -> int:
    """Returns the position of the last one."""
    await transaction.execute_many(
        "INSERT INTO messages (session_id, position, role, content, selected_text, created_at, confidence, "
        "cited_chunk_ids, event_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                session_id,
                first + offset,
                str(message.role),
                message.content,
                message.selected_text,
                message.created_at,
                message.confidence,
                json.dumps(message.cited_chunk_ids),
                event_id,
            )
            for offset, message in enumerate(messages)
        ],
    )
    return first + len(messages) - 1


async def _add_retrievals(
    transaction: Transaction, session_id: str, retrievals: Sequence[Retrieval], *, event_id: str | None
) -> None:
    first = await _next_position(transaction, "retrievals", session_id)
    await transaction.execute_many(
        "INSERT INTO retrievals (session_id, position, tool, query, filters, results_count, average_similarity, "
        "created_at, event_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                session_id,
                first + offset,
                retrieval.tool,
                retrieval.query,
                json.dumps(dict(retrieval.filters)),
                retrieval.results_count,
                retrieval.average_similarity,
                retrieval.created_at,
                event_id,
            )
            for offset, retrieval in enumerate(retrievals)
        ],
    )


async def _next_position(transaction: Transaction, table: str, session_id: str) -> int:
    row = await transaction.fetch_one(
        f"SELECT coalesce(max(position), 0) + 1 AS next FROM {table} WHERE session_id = ?",  # noqa: S608 - our names
        (session_id,),
    )
    assert row is not None
    return int(row["next"])

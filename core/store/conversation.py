"""One turn put into a session, inside a transaction of the caller's."""

import json
from collections.abc import Sequence

from core.model import Answer, Message, Question, Retrieval, Role
from core.model.answer import utc_now
from core.model.limits import LIVE_WINDOW_MESSAGES, SUMMARY_AFTER_TURNS
from core.store.database import Transaction
from core.store.history import to_topic

QUESTIONS_IN_TOPIC = 20
"""More never fit into a summary."""


async def append_turn(
    transaction: Transaction,
    session_id: str,
    question: Question,
    answer: Answer,
    retrievals: Sequence[Retrieval],
) -> None:
    """Add the turn's messages and searches, archive what leaves the live window, and renew the summary.

    Does nothing for a session that is not there: what was forgotten is not brought back by a late answer.
    """
    session = await transaction.fetch_one("SELECT turn_count FROM sessions WHERE id = ?", (session_id,))
    if session is None:
        return
    last = await _add_messages(transaction, session_id, _to_messages(question, answer))
    await _add_retrievals(transaction, session_id, retrievals)
    await transaction.execute(
        "UPDATE messages SET archived = 1 WHERE session_id = ? AND archived = 0 AND position <= ?",
        (session_id, last - LIVE_WINDOW_MESSAGES),
    )
    await transaction.execute(
        "UPDATE sessions SET turn_count = turn_count + 1, updated_at = ?, archived = 0, model = ? WHERE id = ?",
        (utc_now(), answer.model_used, session_id),
    )
    if session["turn_count"] + 1 >= SUMMARY_AFTER_TURNS:
        await _renew_summary(transaction, session_id)


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


async def _add_messages(transaction: Transaction, session_id: str, messages: Sequence[Message]) -> int:
    """Returns the position of the last one."""
    first = await _next_position(transaction, "messages", session_id)
    await transaction.execute_many(
        "INSERT INTO messages (session_id, position, role, content, selected_text, created_at, confidence, "
        "cited_chunk_ids) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
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
            )
            for offset, message in enumerate(messages)
        ],
    )
    return first + len(messages) - 1


async def _add_retrievals(transaction: Transaction, session_id: str, retrievals: Sequence[Retrieval]) -> None:
    first = await _next_position(transaction, "retrievals", session_id)
    await transaction.execute_many(
        "INSERT INTO retrievals (session_id, position, tool, query, filters, results_count, average_similarity, "
        "created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
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


async def _renew_summary(transaction: Transaction, session_id: str) -> None:
    """Follow the topic in the members' own words, unless a writer made a better summary."""
    rows = await transaction.fetch_all(
        "SELECT content FROM messages WHERE session_id = ? AND role = 'user' ORDER BY position DESC LIMIT ?",
        (session_id, QUESTIONS_IN_TOPIC),
    )
    topic = to_topic([row["content"] for row in reversed(rows)])
    await transaction.execute(
        "UPDATE sessions SET topic_summary = ? WHERE id = ? AND json_extract(metadata, '$.summary') IS NULL",
        (topic, session_id),
    )

"""Rows of conversations back to the nouns (pure)."""

import json

from core.model import Message, Retrieval, Role, Session, SessionKey
from core.store.database import Row


def to_session(row: Row) -> Session:
    return Session(
        id=row["id"],
        key=SessionKey(row["platform"], row["group_key"], row["channel"], row["thread"]),
        book=row["book"],
        model=row["model"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        turn_count=row["turn_count"],
        topic_summary=row["topic_summary"],
        is_archived=bool(row["archived"]),
        metadata=json.loads(row["metadata"]),
    )


def to_message(row: Row) -> Message:
    return Message(
        role=Role(row["role"]),
        content=row["content"],
        created_at=row["created_at"],
        tool_calls=json.loads(row["tool_calls"]) if row["tool_calls"] else None,
        tool_call_id=row["tool_call_id"],
        confidence=row["confidence"],
        cited_chunk_ids=tuple(json.loads(row["cited_chunk_ids"])),
        selected_text=row["selected_text"],
    )


def to_retrieval(row: Row) -> Retrieval:
    return Retrieval(
        query=row["query"],
        results_count=row["results_count"],
        average_similarity=row["average_similarity"],
        filters=json.loads(row["filters"]),
        tool=row["tool"],
        created_at=row["created_at"],
    )

"""Conversations as JSON."""

from typing import Literal

from pydantic import BaseModel, Field

from core.model import Message, Session


class SessionForm(BaseModel):
    """One conversation."""

    session_id: str
    platform: str
    group: str
    channel: str
    thread: str
    book: str | None
    model: str
    created_at: str
    updated_at: str
    turn_count: int
    topic_summary: str | None
    archived: bool

    @classmethod
    def of(cls, session: Session) -> "SessionForm":
        return cls.model_validate(session.to_dict())


class MessageForm(BaseModel):
    """One thing said in it."""

    role: str
    content: str
    created_at: str
    confidence: float | None
    cited_chunk_ids: list[str]

    @classmethod
    def of(cls, message: Message) -> "MessageForm":
        return cls(
            role=str(message.role),
            content=message.content,
            created_at=message.created_at,
            confidence=message.confidence,
            cited_chunk_ids=list(message.cited_chunk_ids),
        )


class SessionDetails(SessionForm):
    """A conversation with all that was said in it."""

    messages: list[MessageForm]


class FeedbackForm(BaseModel):
    """What a member thought of an answer."""

    handle: str = Field(
        min_length=1, max_length=80, description="The answer's request_id, or the handle the page knows it by."
    )
    verdict: Literal["up", "down"]
    comment: str | None = Field(default=None, max_length=1000)

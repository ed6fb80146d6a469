"""Our memory of one conversation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import uuid4

from core.errors import QuestionError
from core.model.answer import utc_now
from core.model.limits import check_share

LOCAL_GROUP = "local"
"""The group of this machine's own page, terminal and API."""


class Role(StrEnum):
    """Who speaks, in the model's words."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class SessionKey:
    """Where a conversation takes place; one session per key."""

    platform: str
    group: str
    """Whose conversation it is: "discord:1234", "slack:T01", or LOCAL_GROUP. Groups never see each other."""
    channel: str
    thread: str

    @classmethod
    def private(cls) -> "SessionKey":
        """A place nobody else has: for the command line and for API calls that name no session."""
        return cls("local", LOCAL_GROUP, "direct", uuid4().hex)


@dataclass(frozen=True, slots=True)
class Message:
    """One thing said. Which role may carry what is the contract's rule.

    Raises:
        QuestionError: the role may not carry a field that was given.
    """

    role: Role
    content: str
    created_at: str = field(default_factory=utc_now)
    tool_calls: Sequence[Mapping[str, object]] | None = None
    tool_call_id: str | None = None
    confidence: float | None = None
    cited_chunk_ids: tuple[str, ...] = ()
    selected_text: str | None = None
    """What the member's question was about, where it was about a text."""

    def __post_init__(self) -> None:
        if self.role is Role.USER and not self.content.strip():
            raise QuestionError("A member's message cannot be empty.", details={"field": "content"})
        if self.tool_calls is not None and self.role is not Role.ASSISTANT:
            raise QuestionError("Only the assistant calls tools.", details={"field": "tool_calls"})
        if (self.tool_call_id is not None) != (self.role is Role.TOOL):
            raise QuestionError(
                "A tool's message, and only that, names the call it answers.",
                details={"field": "tool_call_id"},
            )
        if self.confidence is not None and self.role is not Role.ASSISTANT:
            raise QuestionError("Only an answer has a confidence.", details={"field": "confidence"})
        if self.confidence is not None:
            check_share("confidence", self.confidence)
        if self.selected_text is not None and self.role is not Role.USER:
            raise QuestionError("Only a member selects a text.", details={"field": "selected_text"})

    def to_dict(self) -> dict[str, object]:
        """What was said, ready for JSON; only what the role carries."""
        carried = {
            "tool_calls": list(self.tool_calls) if self.tool_calls is not None else None,
            "tool_call_id": self.tool_call_id,
            "confidence": self.confidence,
            "cited_chunk_ids": list(self.cited_chunk_ids) or None,
            "selected_text": self.selected_text,
        }
        said = {"role": str(self.role), "content": self.content, "created_at": self.created_at}
        return said | {name: value for name, value in carried.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Retrieval:
    """One search the agent made for an answer."""

    query: str
    results_count: int
    average_similarity: float
    filters: Mapping[str, object] = field(default_factory=dict)
    tool: str = "retrieve_documentation"
    created_at: str = field(default_factory=utc_now)


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation: where it is held, about which book, and how far it has come."""

    id: str
    key: SessionKey
    book: str | None
    model: str
    created_at: str
    updated_at: str
    turn_count: int = 0
    topic_summary: str | None = None
    is_archived: bool = False
    metadata: Mapping[str, object] = field(default_factory=dict)

    def to_dict(self) -> dict[str, object]:
        return {
            "session_id": self.id,
            "platform": self.key.platform,
            "group": self.key.group,
            "channel": self.key.channel,
            "thread": self.key.thread,
            "book": self.book,
            "model": self.model,
            "created_at": self.created_at,
            "updated_at": self.updated_at,
            "turn_count": self.turn_count,
            "topic_summary": self.topic_summary,
            "archived": self.is_archived,
        }


@dataclass(frozen=True, slots=True)
class Turn:
    """One question with its answer, as the next question needs to know them."""

    question: str
    answer: str
    cited_chunk_ids: tuple[str, ...] = ()
    selected_text: str | None = None
    """The text that the question was about, where there was one."""


@dataclass(frozen=True, slots=True)
class History:
    """What a session remembers, as the next question needs it."""

    session: Session
    messages: tuple[Message, ...] = ()
    """The live window, oldest first."""
    turns: tuple[Turn, ...] = ()
    """What the model is given of it, oldest first; earlier turns are represented by the summary."""

    @property
    def topic_summary(self) -> str | None:
        return self.session.topic_summary

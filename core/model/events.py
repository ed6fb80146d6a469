"""What the agent tells while it works, in the order it happens."""

from dataclasses import dataclass
from enum import StrEnum

from core.model.answer import Answer


class Stage(StrEnum):
    """How far one request has come."""

    RECEIVED = "received"
    VALIDATED = "validated"
    RETRIEVING = "retrieving"
    GENERATING = "generating"
    FORMATTING = "formatting"
    COMPLETED = "completed"
    INVALID = "invalid"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class StageEvent:
    """The request has reached *stage*."""

    stage: Stage


@dataclass(frozen=True, slots=True)
class TextEvent:
    """The whole text written so far; the next one replaces it."""

    text: str


@dataclass(frozen=True, slots=True)
class AnswerEvent:
    """The finished answer, checked and remembered. Always the last event."""

    answer: Answer


AskEvent = StageEvent | TextEvent | AnswerEvent

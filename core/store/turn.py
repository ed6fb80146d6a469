"""What the ledger keeps of one turn."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from core.model import Question
from core.store import questions
from core.store.database import Row


class TurnState(StrEnum):
    """How far a turn has come. The last three are final."""

    RECEIVED = "received"
    ANSWERING = "answering"
    ANSWERED = "answered"
    DELIVERING = "delivering"
    DONE = "done"
    FAILED = "failed"
    JOINED = "joined"
    """Its words became part of the turn before it."""

    @property
    def is_final(self) -> bool:
        return self in {TurnState.DONE, TurnState.FAILED, TurnState.JOINED}


@dataclass(frozen=True, slots=True)
class NewTurn:
    """An event that was just received."""

    event_id: str
    member_id: str
    member_name: str
    question: Question
    asked_at: str
    surface: Mapping[str, object] = field(default_factory=dict)
    is_late: bool = False
    may_join: bool = False


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """One turn as the ledger knows it."""

    id: int
    event_id: str
    nonce: str
    state: TurnState
    member_id: str
    member_name: str
    question: Question
    surface: Mapping[str, object]
    asked_at: str
    received_at: float
    is_late: bool
    may_join: bool
    attempts: int
    reply: Mapping[str, object] | None
    posted: tuple[str, ...] = ()
    """The ids of the messages that show its reply, oldest first."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a turn was answered, in the terms that reports and budgets need."""

    kind: str
    """answer, refusal or notice"""
    reference: str = ""
    reason: str = ""
    request_id: str = ""
    session_id: str = ""
    tokens_used: int = 0
    cost_usd: float = 0.0


def from_row(row: Row, posted: tuple[str, ...]) -> StoredTurn:
    """A row of the table `turns` with its messages."""
    return StoredTurn(
        id=row["id"],
        event_id=row["event_id"],
        nonce=row["nonce"],
        state=TurnState(row["state"]),
        member_id=row["member_id"],
        member_name=row["member_name"],
        question=questions.from_json(row["question"]),
        surface=json.loads(row["surface"]),
        asked_at=row["asked_at"],
        received_at=row["received_at"],
        is_late=bool(row["is_late"]),
        may_join=bool(row["may_join"]),
        attempts=row["attempts"],
        reply=json.loads(row["reply"]) if row["reply"] else None,
        posted=posted,
    )

"""What a platform's event becomes before anything else happens: one row that can be answered after a restart."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.model import Question
from core.model.answer import utc_now
from core.store.turn import NewTurn, StoredTurn


@dataclass(frozen=True, slots=True)
class Incoming:
    """One event to be answered, with all that is needed to answer it without the event.

    The question carries the SessionKey: platform, group, channel and thread.
    """

    event_id: str
    """The platform's own id, prefixed by the platform: the same event never makes a second turn."""
    member_id: str
    member_name: str
    question: Question
    surface: Mapping[str, object] = field(default_factory=dict)
    """Where and how the reply is shown, in the adapter's own terms; plain JSON."""
    created_at: str = field(default_factory=utc_now)
    is_late: bool = False
    """It was asked while we were away; the reply says so."""
    may_join: bool = False
    """It waits a moment, and what the same member says meanwhile in the same place becomes part of it."""

    @classmethod
    def from_turn(cls, turn: StoredTurn) -> "Incoming":
        return cls(
            event_id=turn.event_id,
            member_id=turn.member_id,
            member_name=turn.member_name,
            question=turn.question,
            surface=turn.surface,
            created_at=turn.asked_at,
            is_late=turn.is_late,
            may_join=turn.may_join,
        )

    def to_new_turn(self) -> NewTurn:
        return NewTurn(
            event_id=self.event_id,
            member_id=self.member_id,
            member_name=self.member_name,
            question=self.question,
            asked_at=self.created_at,
            surface=self.surface,
            is_late=self.is_late,
            may_join=self.may_join,
        )

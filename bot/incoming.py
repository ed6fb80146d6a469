"""What a platform's event becomes before anything else happens: one row that can be answered after a restart."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.model import Question
from core.model.answer import utc_now


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

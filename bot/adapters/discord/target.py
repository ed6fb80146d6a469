"""Where a reply goes, as plain JSON that survives a restart."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class MessageTarget:
    """The reply to a message: in the thread it opens, or beside it."""

    channel: int
    message: int
    guild: int | None = None
    opens_thread: bool = False
    title: str = ""
    """The name of the thread to open."""
    notes: tuple[str, ...] = ()
    """What the member should know besides what the reply itself says."""

    def to_json(self) -> dict[str, object]:
        return {"kind": "message", **asdict(self)}


@dataclass(frozen=True, slots=True)
class InteractionTarget:
    """The reply to a command, a button or a form."""

    channel: int
    token: str
    application: int
    guild: int | None = None
    is_private: bool = False
    question: str = ""
    """Shown with the answer, for members see no message it belongs to."""
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        return {"kind": "interaction", **asdict(self)}


Target = MessageTarget | InteractionTarget


def from_json(stored: Mapping[str, Any]) -> Target:
    """The target that was stored."""
    fields = dict(stored)
    kind = fields.pop("kind")
    fields["notes"] = tuple(fields.get("notes", ()))
    return InteractionTarget(**fields) if kind == "interaction" else MessageTarget(**fields)

"""Where a reply goes, as plain JSON that survives a restart."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ThreadTarget:
    """The reply in a thread."""

    team: str
    channel: str
    thread: str
    member: str
    since: str
    """The message after which the reply stands."""
    notes: tuple[str, ...] = ()
    """What the member should know besides what the reply itself says."""

    def to_json(self) -> dict[str, object]:
        return {"kind": "thread", **asdict(self)}


@dataclass(frozen=True, slots=True)
class PrivateTarget:
    """The reply to a command where the bot itself may not write."""

    response_url: str

    def to_json(self) -> dict[str, object]:
        return {"kind": "private", **asdict(self)}


Target = ThreadTarget | PrivateTarget


def from_json(stored: Mapping[str, Any]) -> Target:
    """The target that was stored."""
    fields = dict(stored)
    if fields.pop("kind") == "private":
        return PrivateTarget(**fields)
    fields["notes"] = tuple(fields.get("notes", ()))
    return ThreadTarget(**fields)

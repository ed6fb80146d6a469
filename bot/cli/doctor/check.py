"""What one check found."""

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """How a part of the machine is."""

    OK = "ok"
    WARNING = "warning"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Check:
    """One part, how it is, and what to do about it."""

    name: str
    state: State
    found: str
    advice: str = ""

    @classmethod
    def ok(cls, name: str, found: str) -> "Check":
        return cls(name, State.OK, found)

    @classmethod
    def warning(cls, name: str, found: str, advice: str) -> "Check":
        return cls(name, State.WARNING, found, advice)

    @classmethod
    def broken(cls, name: str, found: str, advice: str) -> "Check":
        return cls(name, State.BROKEN, found, advice)

    def to_dict(self) -> dict[str, object]:
        return {"name": self.name, "state": str(self.state), "found": self.found, "advice": self.advice}

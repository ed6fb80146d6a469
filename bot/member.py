"""Who asks, and where."""

from dataclasses import dataclass

from core.model import SessionKey


@dataclass(frozen=True, slots=True)
class Member:
    """A person in one place of one platform."""

    id: str
    name: str
    key: SessionKey
    is_leader: bool = False

    @property
    def group(self) -> str:
        return self.key.group

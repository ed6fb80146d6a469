"""Who may ask where, and who leads (pure)."""

from collections.abc import Collection
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Permissions:
    """An operator's choice for one platform. Empty means everybody, everywhere."""

    channels: frozenset[str] = field(default_factory=frozenset)
    roles: frozenset[str] = field(default_factory=frozenset)
    leader_roles: frozenset[str] = field(default_factory=frozenset)

    def may_ask_in(self, channels: Collection[str]) -> bool:
        """Whether questions are answered in a place; *channels* are its own id and its parents'."""
        return not self.channels or bool(self.channels & set(channels))

    def may_ask(self, roles: Collection[str], *, is_manager: bool = False) -> bool:
        """Whether somebody with these roles may ask."""
        return not self.roles or is_manager or bool((self.roles | self.leader_roles) & set(roles))

    def leads(self, roles: Collection[str], *, is_manager: bool) -> bool:
        """Whether somebody may use the leaders' commands."""
        return is_manager or bool(self.leader_roles & set(roles))

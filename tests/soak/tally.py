"""What was sent in a soak."""

from dataclasses import dataclass, field


@dataclass
class Tally:
    """What was sent."""

    asked: dict[int, str] = field(default_factory=dict)
    """Every question that must be answered, with how it was asked."""
    commands: set[int] = field(default_factory=set)
    """Questions by command: owed only once the bot has taken them, for platforms deliver a command only once."""
    refused_commands: int = 0
    events: int = 0
    duplicates: int = 0
    reordered: int = 0

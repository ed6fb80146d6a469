"""Where one reply appears. Each adapter makes its own; the turns drive it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from bot.incoming import Incoming
from bot.reply import Reply
from core.model import Stage


@dataclass(frozen=True, slots=True)
class Progress:
    """What a waiting member may be shown: the place in the queue, the stage, or the text so far."""

    queue_place: int | None = None
    """How many turns come first; None once the turn is being answered."""
    stage: Stage | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Delivery:
    """What of a reply is already on the platform."""

    posted: tuple[str, ...]
    """The ids of messages posted for this turn so far, oldest first: edit them rather than post again."""
    save: Callable[[str], Awaitable[None]]
    """Stores the id of a message at once, so that a restart knows of it. Call it right after posting."""
    nonce: str
    """The same for every attempt at this turn: lets a platform itself refuse a second copy."""


class Surface(Protocol):
    """One turn's place on a platform."""

    async def show(self, progress: Progress, delivery: Delivery) -> None:
        """Show that something is happening. May be dropped or joined with the next; never raises for that."""

    async def deliver(self, reply: Reply, delivery: Delivery) -> None:
        """Show the whole reply, once, whatever was shown before. Returns when the platform has it."""


OpenSurface = Callable[[Incoming], Surface]
"""What an adapter gives the turns: a stored event back to the place where its reply belongs."""

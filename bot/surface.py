"""Where one reply appears. Each adapter makes its own; the turns drive it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from bot.incoming import Incoming
from bot.reply import Reply
from core.errors import FootnoteError
from core.model import Stage


class Undeliverable(FootnoteError):
    """A reply can never be shown: its place is gone, or we may not write there."""

    code = "undeliverable"


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
    """The same for every attempt at this turn: lets a platform itself refuse a second copy.

    16 random hex digits, so it also serves as the turn's handle in buttons (`Desk.rate`, `Turns.stop`).
    """
    is_awaited: Callable[[], bool] = lambda: True
    """Whether progress is still worth showing: nothing newer has come, and no reply."""
    is_retry: bool = False
    """An earlier attempt may have posted something whose id was never saved: look before posting."""


class Surface(Protocol):
    """One turn's place on a platform."""

    async def show(self, progress: Progress, delivery: Delivery) -> None:
        """Show that something is happening. May be dropped or joined with the next; never raises for that.

        It is called again with the newest progress once it returns, and always returns before `deliver` is called.
        """

    async def deliver(self, reply: Reply, delivery: Delivery) -> None:
        """Show the whole reply, once, whatever was shown before. Returns when the platform has it.

        Raises:
            ServiceError: the platform did not take it now; it is tried again later.
            Undeliverable: it never will.
        """


OpenSurface = Callable[[Incoming], Surface]
"""What an adapter gives the turns: a stored event back to the place where its reply belongs."""

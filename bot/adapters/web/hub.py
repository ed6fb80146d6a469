"""Tells open pages and waiting requests what happens, without ever holding up the one who tells."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that changed. A newer one with the same *key* replaces one not yet read."""

    kind: str
    key: str
    content: Mapping[str, object] = field(default_factory=dict)


CLOSING = Happening("closing", "closing")
"""The last thing anybody hears: we stop."""


class Mailbox:
    """What one listener has not read yet. It stays small however slowly it is read."""

    def __init__(self, wants: Callable[[Happening], bool]) -> None:
        self.wants = wants
        self._waiting: dict[str, Happening] = {}
        self._arrived = asyncio.Event()

    def put(self, happening: Happening) -> None:
        # Taken out first, so that a replacement stands where it happened: after everything before it.
        self._waiting.pop(happening.key, None)
        self._waiting[happening.key] = happening
        self._arrived.set()

    async def get(self) -> Happening:
        """The oldest unread happening, waiting for one if there is none."""
        while not self._waiting:
            self._arrived.clear()
            await self._arrived.wait()
        return self._waiting.pop(next(iter(self._waiting)))


class Hub:
    """Where everything that happens on the page's channel is told."""

    def __init__(self) -> None:
        self._mailboxes: set[Mailbox] = set()
        self._under_way: dict[str, Happening] = {}

    @property
    def listeners(self) -> int:
        return len(self._mailboxes)

    def tell(self, happening: Happening) -> None:
        """Let every listener know who wants to."""
        for mailbox in self._mailboxes:
            if mailbox.wants(happening):
                mailbox.put(happening)

    def tell_progress(self, happening: Happening) -> None:
        """The same for what is still going on: whoever comes later is told where it stands."""
        self._under_way[happening.key] = happening
        self.tell(happening)

    def end_progress(self, key: str) -> None:
        """It is over; latecomers need not hear of it."""
        self._under_way.pop(key, None)

    def close(self) -> None:
        """End all listening; whoever comes now hears only that we stop."""
        self._under_way = {CLOSING.key: CLOSING}
        for mailbox in self._mailboxes:
            mailbox.put(CLOSING)

    @contextmanager
    def listen(self, wants: Callable[[Happening], bool] = lambda _: True) -> Iterator[Mailbox]:
        """A mailbox that gets what *wants* says yes to, beginning with what is under way, until the block ends."""
        mailbox = Mailbox(wants)
        for happening in self._under_way.values():
            if wants(happening) or happening is CLOSING:
                mailbox.put(happening)
        self._mailboxes.add(mailbox)
        try:
            yield mailbox
        finally:
            self._mailboxes.discard(mailbox)

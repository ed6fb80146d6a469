"""One thread of the terminal channel, with its messages numbered."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import uuid4

from core.model import LOCAL_GROUP, Message, Role, SessionKey

PLATFORM, CHANNEL = "terminal", "channel"


def new_key() -> SessionKey:
    return SessionKey(PLATFORM, LOCAL_GROUP, CHANNEL, uuid4().hex)


@dataclass(frozen=True, slots=True)
class Said:
    """One message: whose, its text, and the chunks it rests on by the numbers of its marks."""

    is_answer: bool
    text: str
    sources: tuple[tuple[int, str], ...] = ()


@dataclass(slots=True)
class Thread:
    """Where the conversation is now."""

    key: SessionKey = field(default_factory=new_key)
    messages: list[Said] = field(default_factory=list)

    def add(self, said: Said) -> int:
        """Put a message at the end; its number."""
        self.messages.append(said)
        return len(self.messages)

    def find(self, number: int | None) -> Said | None:
        """The message of that number, or None."""
        return self.messages[number - 1] if number and 0 < number <= len(self.messages) else None

    @property
    def last_answer(self) -> Said | None:
        return next((said for said in reversed(self.messages) if said.is_answer), None)


def from_messages(key: SessionKey, messages: Sequence[Message]) -> Thread:
    """A thread as it was left."""
    said = [
        Said(message.role is Role.ASSISTANT, message.content, tuple(enumerate(message.cited_chunk_ids, start=1)))
        for message in messages
        if message.role in {Role.USER, Role.ASSISTANT} and message.content
    ]
    return Thread(key, said)

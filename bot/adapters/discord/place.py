"""Where on Discord something happens, as the rest of Footnote knows places (pure)."""

from dataclasses import replace

from core.model import SessionKey

PLATFORM = "discord"
DIRECT = "dm"
"""The channel of every direct conversation: it is nobody's but the member's."""
PRIVATE = "private-"


def message_event(message_id: int) -> str:
    """The event that a message is."""
    return f"{PLATFORM}:m:{message_id}"


def group_of(guild_id: int) -> str:
    return f"{PLATFORM}:{guild_id}"


def alone(user_id: int) -> str:
    """The group of somebody who shares no server with us."""
    return f"{PLATFORM}:dm:{user_id}"


def thread_key(guild_id: int, parent_id: int, thread_id: int) -> SessionKey:
    """A conversation in a thread. A thread has the id of the message it was opened on."""
    return SessionKey(PLATFORM, group_of(guild_id), str(parent_id), str(thread_id))


def command_key(guild_id: int, channel_id: int, interaction_id: int) -> SessionKey:
    """A command in a channel: a conversation of its own, in no place that could be looked up."""
    return SessionKey(PLATFORM, group_of(guild_id), str(channel_id), f"command-{interaction_id}")


def private_key(key: SessionKey, interaction_id: int) -> SessionKey:
    """A question that others must not read, asked at *key*: a conversation of its own."""
    return replace(key, thread=f"{PRIVATE}{interaction_id}")


def is_private(channel: str, thread: str) -> bool:
    """Whether what was said in a place is for nobody but its member."""
    return channel == DIRECT or thread.startswith(PRIVATE)


def to_choice(key: SessionKey) -> str:
    """A conversation as a list says which one was chosen."""
    return f"{key.channel}:{key.thread}"


def from_choice(choice: str, group: str) -> SessionKey:
    """The conversation of a *group* that was chosen."""
    channel, _, thread = choice.partition(":")
    return SessionKey(PLATFORM, group, channel, thread)


def direct_key(group: str, channel_id: int) -> SessionKey:
    return SessionKey(PLATFORM, group, DIRECT, str(channel_id))


def parents(channel: object) -> list[str]:
    """The id of a channel, and those of the channel and category it stands in."""
    found = [getattr(channel, name, None) for name in ("id", "parent_id", "category_id")]
    return [str(each) for each in found if each]

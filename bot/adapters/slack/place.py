"""Where on Slack something happens, as the rest of Footnote knows places (pure)."""

from core.model import SessionKey

PLATFORM = "slack"
PRIVATE = "private-"


def group_of(team: str) -> str:
    return f"{PLATFORM}:{team}"


def thread_key(team: str, channel: str, thread: str) -> SessionKey:
    """A conversation: in a channel, in a direct message or in the assistant pane, always a thread."""
    return SessionKey(PLATFORM, group_of(team), channel, thread)


def private_key(team: str, channel: str, member: str) -> SessionKey:
    """What a member asks in a channel where only they can read the answers."""
    return thread_key(team, channel, f"{PRIVATE}{member}")


def event_id(team: str, channel: str, ts: str) -> str:
    """The same for both events of a mention, and for each time they are delivered."""
    return f"{PLATFORM}:{team}:{channel}:{ts}"


def is_direct(channel: str) -> bool:
    """Whether a channel is a direct message; Slack's ids tell it."""
    return channel.startswith("D")


def is_private(channel: str, thread: str) -> bool:
    """Whether what was said in a place is for nobody but its member."""
    return is_direct(channel) or thread.startswith(PRIVATE)

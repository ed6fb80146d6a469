"""What exists in the local Slack: teams, people, channels, messages, views, and the clocks on them."""

import time
from dataclasses import dataclass, field
from itertools import count
from typing import Any

Json = dict[str, Any]

APP_ID = "A0FOOTNOTE"


@dataclass
class Team:
    """One workspace that installed the app."""

    id: str = "T0STUDY"
    token: str = "xoxb-local"
    bot_user: str = "U0FOOTNOTE"
    bot_id: str = "B0FOOTNOTE"
    name: str = "Study"
    enterprise: str | None = None


@dataclass
class Stream:
    """The streaming state of one message."""

    started: float
    state: str = "open"
    appends: int = 0


@dataclass
class Hook:
    """A response_url: five uses within thirty minutes."""

    channel: str
    user: str
    created: float
    uses: int = 0
    message_ts: str | None = None


@dataclass
class World:
    """Everything that is there."""

    teams: dict[str, Team]
    users: dict[str, Json] = field(default_factory=dict)
    channels: dict[str, Json] = field(default_factory=dict)
    messages: dict[str, dict[str, Json]] = field(default_factory=dict)
    streams: dict[str, Stream] = field(default_factory=dict)
    ephemeral: list[Json] = field(default_factory=list)
    views: dict[str, Json] = field(default_factory=dict)
    homes: dict[str, Json] = field(default_factory=dict)
    triggers: dict[str, float] = field(default_factory=dict)
    hooks: dict[str, Hook] = field(default_factory=dict)
    statuses: list[Json] = field(default_factory=list)
    titles: dict[str, str] = field(default_factory=dict)
    prompts: list[Json] = field(default_factory=list)
    files: dict[str, tuple[Json, bytes]] = field(default_factory=dict)
    user_groups: dict[str, list[str]] = field(default_factory=dict)
    numbers: Any = field(default_factory=lambda: count(1))
    last_ts: float = 0.0

    def ts(self) -> str:
        """A new message id: the time, never the same twice."""
        self.last_ts = max(time.time(), self.last_ts + 0.000002)
        return f"{self.last_ts:.6f}"

    def add_user(self, name: str, *, team: str, is_admin: bool = False) -> str:
        user_id = f"U{next(self.numbers):03d}{name.upper()[:6]}"
        self.users[user_id] = {
            "id": user_id, "team_id": team, "name": name, "real_name": name.title(), "is_bot": False,
            "is_admin": is_admin, "profile": {"display_name": name.title(), "real_name": name.title()},
        }  # fmt: skip
        return user_id

    def add_channel(self, name: str, *, team: str, kind: str = "channel", user: str | None = None) -> str:
        channel_id = {"channel": "C", "group": "G", "mpim": "G", "im": "D"}[
            kind
        ] + f"{next(self.numbers):03d}{name.upper()[:6]}"
        self.channels[channel_id] = {
            "id": channel_id, "name": name, "kind": kind, "user": user, "is_member": True, "team": team,
            "is_im": kind == "im", "is_mpim": kind == "mpim", "is_private": kind != "channel",
            "is_archived": False,
        }  # fmt: skip
        self.messages[channel_id] = {}
        return channel_id

    def team_of(self, channel: str) -> Team:
        return self.teams[self.channels[channel]["team"]]

    def thread(self, channel: str, root: str) -> list[Json]:
        """A message and what was replied to it, oldest first."""
        return [each for each in self.messages[channel].values() if each.get("thread_ts", each["ts"]) == root]

    def replies(self, channel: str, root: str) -> list[Json]:
        """What the bot wrote in a thread."""
        bot = self.team_of(channel).bot_user
        return [each for each in self.thread(channel, root) if each.get("user") == bot and each["ts"] != root]

    def answers(self, channel: str) -> list[Json]:
        """Everything the bot wrote in a channel."""
        bot = self.team_of(channel).bot_user
        return [each for each in self.messages[channel].values() if each.get("user") == bot]

    def new_trigger(self) -> str:
        trigger = f"{next(self.numbers)}.{self.ts()}"
        self.triggers[trigger] = time.monotonic()
        return trigger

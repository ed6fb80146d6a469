"""Slack's rate limits: a tier per method and workspace, one message or status a second per channel."""

import time
from collections import defaultdict, deque

TIERS = {
    "chat.update": 50, "chat.startStream": 20, "chat.appendStream": 100, "chat.stopStream": 20,
    "chat.postEphemeral": 100, "conversations.replies": 50, "conversations.history": 50, "conversations.info": 50,
    "views.open": 100, "views.update": 100, "views.publish": 100, "users.info": 100, "usergroups.users.list": 20,
    "apps.connections.open": 60, "chat.delete": 50, "chat.getPermalink": 300, "conversations.open": 50,
    "assistant.threads.setTitle": 100, "assistant.threads.setSuggestedPrompts": 100, "auth.test": 300,
    "files.info": 100, "users.conversations": 50,
}  # fmt: skip
"""Calls a minute."""
PER_CHANNEL = {"chat.postMessage": 300, "assistant.threads.setStatus": 300}
"""What is counted by the channel; besides, a workspace takes "several hundred" a minute."""
STRICT = {"conversations.replies": 1, "conversations.history": 1}
"""What apps that are sold outside Slack's own marketplace get."""

BURST = 3
"""Calls a channel takes at once before one a second holds."""


class Rates:
    """Counts calls and says how long the next one has to wait."""

    def __init__(self, *, are_on: bool = True, reads_strictly: bool = False) -> None:
        self.are_on = are_on
        self.refused = 0
        self._tiers = {**TIERS, **(STRICT if reads_strictly else {})}
        self._room_in: dict[tuple[str, str], tuple[float, float]] = {}
        self._calls: dict[tuple[str, str], deque[float]] = defaultdict(deque)

    def wait_seconds(self, method: str, team: str, channel: str | None) -> float:
        """0 where the call may pass, which counts it."""
        if not self.are_on:
            return 0.0
        if method in PER_CHANNEL:
            wait = self._in_channel(method, channel or "") or self._room((method, team), PER_CHANNEL[method], 60.0)
        else:
            wait = self._room((method, team), self._tiers.get(method, 100), 60.0)
        self.refused += wait > 0
        return wait

    def _in_channel(self, method: str, channel: str) -> float:
        """A channel gains room for one call a second, and never has room for more than a few."""
        room, asked_at = self._room_in.get((method, channel), (float(BURST + 1), 0.0))
        now = time.monotonic()
        room = min(BURST + 1.0, room + now - asked_at)
        if room < 1:
            return 1.0
        self._room_in[method, channel] = (room - 1, now)
        return 0.0

    def _room(self, key: tuple[str, str], most: int, window: float) -> float:
        calls, now = self._calls[key], time.monotonic()
        while calls and now - calls[0] > window:
            calls.popleft()
        if len(calls) >= most:
            return max(1.0, window - (now - calls[0]))
        calls.append(now)
        return 0.0

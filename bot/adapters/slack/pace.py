"""Keeps us below Slack's rate limits, so that being refused stays the exception."""

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable
from time import monotonic

POST_BURST = 2
"""Messages that may be ahead of one a second in a channel; Slack allows short bursts."""
STATUS_BURST = 2
"""The same for statuses, which Slack counts by the channel as it counts messages."""
PER_MINUTE = {"start": 16, "append": 90, "update": 15, "status": 240}
"""What we allow ourselves for progress, well below Slack's tiers: the rest is for the replies themselves."""


class Pace:
    """One for all workspaces; what is counted is counted per workspace or channel."""

    def __init__(
        self,
        *,
        show_every_seconds: float = 0.8,
        update_every_seconds: float = 3.0,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.show_every_seconds = show_every_seconds
        self.update_every_seconds = update_every_seconds
        self._clock = clock
        self._taken: dict[tuple[str, str], deque[float]] = defaultdict(deque)
        self._posts: dict[str, float] = defaultdict(float)
        self._statuses: dict[str, float] = defaultdict(float)

    def may(self, what: str, team: str) -> bool:
        """Whether something optional still fits into this minute; if so it counts."""
        taken, now = self._taken[what, team], self._clock()
        while taken and now - taken[0] >= 60:
            taken.popleft()
        if len(taken) >= PER_MINUTE[what]:
            return False
        taken.append(now)
        return True

    def may_say_status(self, team: str, channel: str, *, is_first: bool) -> bool:
        """Whether a status fits in now; if so it counts.

        The first sign that somebody's question was taken goes before news of the others: those are told only
        where nobody has been told anything for a while.
        """
        now = self._clock()
        at = max(self._statuses[channel], now - STATUS_BURST)
        is_quiet = at == now - STATUS_BURST
        if at > now or not (is_first or is_quiet) or not self.may("status", team):
            return False
        self._statuses[channel] = at + 1
        return True

    async def post(self, channel: str) -> None:
        """Return when the next message may be posted in *channel*."""
        now = self._clock()
        # Each message takes a second of the channel's time; a few may be ahead of it.
        at = max(self._posts[channel], now - POST_BURST)
        self._posts[channel] = at + 1
        if at > now:
            await asyncio.sleep(at - now)

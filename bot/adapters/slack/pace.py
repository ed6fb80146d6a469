"""Keeps us below Slack's rate limits, so that being refused stays the exception."""

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable
from time import monotonic

POST_BURST = 2
"""Messages that may be ahead of one a second in a channel; Slack allows short bursts."""
POSTS_PER_SECOND, POSTS_AT_ONCE = 4.0, 50
"""The same for a workspace as a whole, which takes "several hundred" messages a minute."""
STATUS_BURST = 2
"""The same for statuses, which Slack counts by the channel as it counts messages."""
PER_MINUTE = {"start": 16, "append": 90, "update": 15, "status": 240}
"""What we allow ourselves for progress, well below Slack's tiers: the rest is for the replies themselves."""
NEWS_PER_MINUTE = 60
"""Of the statuses, how many may be news of questions that have one: the rest are first signs."""


class Spacing:
    """Moments that follow each other evenly; some may come ahead of time (pure)."""

    def __init__(self, per_second: float, at_once: int) -> None:
        self._seconds = 1 / per_second
        self._ahead = at_once * self._seconds
        self._end = float("-inf")

    def next(self, now: float) -> float:
        """When the next one may come: *now*, or later."""
        return max(self._end - self._ahead, now)

    def is_empty(self, now: float) -> bool:
        return self._end <= now

    def add(self, now: float) -> None:
        """One more is on its way."""
        self._end = max(self._end, now) + self._seconds


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
        self._posts: dict[str, Spacing] = defaultdict(lambda: Spacing(1, POST_BURST))
        self._all_posts: dict[str, Spacing] = defaultdict(lambda: Spacing(POSTS_PER_SECOND, POSTS_AT_ONCE))
        self._statuses: dict[str, Spacing] = defaultdict(lambda: Spacing(1, STATUS_BURST))

    def may(self, what: str, team: str, *, most: int | None = None) -> bool:
        """Whether something optional still fits into this minute; if so it counts."""
        taken, now = self._taken[what, team], self._clock()
        while taken and now - taken[0] >= 60:
            taken.popleft()
        if len(taken) >= (most or PER_MINUTE[what]):
            return False
        taken.append(now)
        return True

    def may_say_status(self, team: str, channel: str, *, is_first: bool) -> bool:
        """Whether a status fits in now; if so it counts.

        The first sign that somebody's question was taken goes before news of the others: those are told only
        where nobody has been told anything for a while.
        """
        here, now = self._statuses[channel], self._clock()
        fits = here.next(now) <= now if is_first else here.is_empty(now)
        if not fits or not self.may("status", team, most=None if is_first else NEWS_PER_MINUTE):
            return False
        here.add(now)
        return True

    async def post(self, team: str, channel: str) -> None:
        """Return when the next message may be posted in *channel*."""
        here, everywhere, now = self._posts[channel], self._all_posts[team], self._clock()
        at = max(here.next(now), everywhere.next(now))
        here.add(now)
        everywhere.add(now)
        if at > now:
            await asyncio.sleep(at - now)

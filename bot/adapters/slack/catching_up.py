"""What was asked while we were away: looked for where we are asked, with as few reads as possible."""

import logging
import time
from collections.abc import AsyncIterator, Callable

from slack_sdk.errors import SlackApiError

from bot.adapters.slack.hearing import Hearing
from bot.adapters.slack.listening import Listening
from bot.adapters.slack.place import PLATFORM
from bot.adapters.slack.trouble import error_code
from bot.adapters.slack.words import Event
from bot.adapters.slack.workspaces import Workspace, Workspaces
from core.model import SessionKey
from core.store.places import Places

log = logging.getLogger(__name__)

MIN_AWAY_SECONDS = 30.0
"""Within this Slack itself delivers again."""
KNOWN_FOR_SECONDS = 14 * 86_400.0
MAX_READS = 12
"""New apps may read one page of history a minute; beyond this nobody waits for the answer any more."""
PAGE = 100


class CatchingUp:
    """Reads the channels and threads where we were asked lately."""

    def __init__(
        self,
        *,
        places: Places,
        workspaces: Workspaces,
        hearing: Hearing,
        listening: Listening,
        hours: float,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._places = places
        self._workspaces = workspaces
        self._hearing = hearing
        self._listening = listening
        self._hours = hours
        self._clock = clock

    async def run(self, last_listened: float | None) -> int:
        """Have what was missed since *last_listened* answered; how many messages were looked at."""
        now = self._clock()
        if last_listened is None or not self._hours or now - last_listened < MIN_AWAY_SECONDS:
            return 0
        since = max(last_listened - MIN_AWAY_SECONDS, now - self._hours * 3600)
        keys = await self._places.recent(PLATFORM, since=now - KNOWN_FOR_SECONDS)
        count = 0
        async for event, workspace, team in self._missed(keys, since):
            count += 1
            heard = await self._hearing.hear(event, workspace, team, is_late=True)
            await self._listening.take(heard)
        log.info("looked at %d messages that came while we were away", count)
        return count

    async def _missed(self, keys: list[SessionKey], since: float) -> AsyncIterator[tuple[Event, Workspace, str]]:
        """Channels first: that is where new questions are; then threads, newest first."""
        channels = dict.fromkeys((key.group, key.channel) for key in keys)
        reads: list[tuple[str, str, str | None]] = [(group, channel, None) for group, channel in channels]
        reads += [(key.group, key.channel, key.thread) for key in keys]
        for group, channel, thread in reads[:MAX_READS]:
            team = group.partition(":")[2]
            workspace = self._workspaces.of(team)
            if workspace is None:
                continue
            for message in await self._read(workspace, channel, thread, since):
                yield {**message, "channel": channel}, workspace, team

    async def _read(self, workspace: Workspace, channel: str, thread: str | None, since: float) -> list[Event]:
        """Messages after *since*, oldest first."""
        oldest = f"{since:.6f}"
        try:
            if thread is None:
                found = await workspace.client.conversations_history(channel=channel, oldest=oldest, limit=PAGE)
            else:
                found = await workspace.client.conversations_replies(
                    channel=channel, ts=thread, oldest=oldest, limit=PAGE
                )
        except SlackApiError as error:
            log.info("cannot look for what was missed: %s", error_code(error))
            return []
        messages = [message for message in found["messages"] if float(message.get("ts", 0)) > since]
        return sorted(messages, key=lambda message: float(message["ts"]))

"""What was said where we are: read page by page, as few of them as will do and as slowly as Slack asks."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any

from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.adapters.slack.place import PLATFORM, group_of
from bot.adapters.slack.trouble import translated
from bot.adapters.slack.words import Event
from bot.adapters.slack.workspaces import Workspace, Workspaces
from bot.surface import Undeliverable
from core.errors import ServiceBusy, ServiceError, SettingsError
from core.model import SessionKey
from core.store.places import Places

log = logging.getLogger(__name__)

PAGE = 200
"""Slack asks for no more at a time; apps under its stricter limit get 15 a page and one page a minute."""
KNOWN_FOR_SECONDS = 14 * 86_400.0
"""How long a thread in which we were asked is looked after."""
ROOTS_SECONDS = 86_400.0
"""How old the first message of a thread may be in which we were never asked."""
KINDS = "public_channel,private_channel,mpim,im"
RETRY_PAUSES = (1.0, 2.0, 5.0, 15.0, 60.0)

Call = Callable[..., Awaitable[AsyncSlackResponse]]


@dataclass(frozen=True, slots=True)
class Place:
    """A conversation of a workspace: a channel, a group's direct messages or a member's."""

    workspace: Workspace
    team: str
    channel: str


class Missed:
    """Reads everything that was said after a moment in the conversations we are in."""

    def __init__(self, places: Places, workspaces: Workspaces, *, clock: Callable[[], float] = time.time) -> None:
        self._places = places
        self._workspaces = workspaces
        self._clock = clock

    async def since(self, moment: float) -> AsyncIterator[tuple[Event, Workspace, str]]:
        """Each message after *moment* with its workspace and team, oldest first in each conversation.

        Raises:
            ServiceError: Slack does not answer, however often it is asked.
        """
        known = await self._places.recent(PLATFORM, since=self._clock() - KNOWN_FOR_SECONDS)
        async for place in self._conversations(known):
            oldest = min([moment - ROOTS_SECONDS, *_roots(known, place)])
            for message in await self._said(place, moment, oldest):
                yield {**message, "channel": place.channel}, place.workspace, place.team

    async def _conversations(self, known: list[SessionKey]) -> AsyncIterator[Place]:
        """Where we were asked lately first; then wherever else we are, even if nobody ever asked there."""
        seen: set[tuple[str, str]] = set()
        teams = {workspace.team: workspace for workspace in self._workspaces if not workspace.is_org_wide}
        for key in known:
            team = key.group.partition(":")[2]
            workspace = self._workspaces.of(team)
            if workspace is None:
                continue
            teams.setdefault(team, workspace)
            if (team, key.channel) not in seen:
                seen.add((team, key.channel))
                yield Place(workspace, team, key.channel)
        for team, workspace in teams.items():
            listed = workspace.quick.users_conversations
            async for found in _pages(
                listed, "channels", types=KINDS, team_id=team, exclude_archived=True, limit=PAGE
            ):
                if (team, found["id"]) not in seen:
                    yield Place(workspace, team, str(found["id"]))

    async def _said(self, place: Place, moment: float, oldest: float) -> list[Event]:
        """Messages after *moment*, those in threads too; their first messages are looked for back to *oldest*."""
        client, said, threads = place.workspace.quick, [], []
        roots = client.conversations_history
        async for message in _pages(roots, "messages", channel=place.channel, oldest=f"{oldest:.6f}", limit=PAGE):
            if _is_after(message.get("latest_reply"), moment) and not _is_ours_alone(message, place.workspace):
                threads.append(str(message["ts"]))
            if _is_after(message.get("ts"), moment):
                said.append(message)
        for thread in threads:
            replies = _pages(
                client.conversations_replies,
                "messages",
                channel=place.channel,
                ts=thread,
                oldest=f"{moment:.6f}",
                limit=PAGE,
            )
            # The first message of a thread comes along whatever is asked for.
            said += [each async for each in replies if each["ts"] != thread and _is_after(each["ts"], moment)]
        return sorted(said, key=lambda message: float(message["ts"]))


def _roots(known: Iterable[SessionKey], place: Place) -> list[float]:
    """When the threads began in which we were asked here; a command has no thread."""
    here = [key.thread for key in known if (key.group, key.channel) == (group_of(place.team), place.channel)]
    # What is asked for has to be after the oldest moment, not at it.
    return [float(thread) - 1 for thread in here if thread.replace(".", "", 1).isdigit()]


def _is_after(ts: object, moment: float) -> bool:
    return float(str(ts or 0)) > moment


def _is_ours_alone(root: Event, workspace: Workspace) -> bool:
    """Whether nobody but us replied: such a thread has nothing for us."""
    return root.get("reply_users_count") == 1 and root.get("reply_users") == [workspace.bot_user]


async def _pages(call: Call, name: str, **arguments: Any) -> AsyncIterator[Any]:
    """Every item of a list, page after page; none where we may not look."""
    cursor = ""
    while True:
        page = await _patiently(call, **arguments, **({"cursor": cursor} if cursor else {}))
        if page is None:
            return
        for item in page.get(name) or []:
            yield item
        cursor = (page.get("response_metadata") or {}).get("next_cursor") or ""
        if not cursor:
            return


async def _patiently(call: Call, **arguments: Any) -> AsyncSlackResponse | None:
    """What Slack answers, however long it asks us to wait; None where we may not look.

    Raises:
        ServiceError: Slack does not answer.
    """
    pauses = iter(RETRY_PAUSES)
    while True:
        try:
            with translated():
                return await call(**arguments)
        except (Undeliverable, SettingsError) as error:
            log.warning("cannot look there for what was asked while we were away: %s", error.details.get("reason"))
            return None
        except ServiceBusy as error:
            pause = float(error.retry_after or 1)
        except ServiceError:
            last = next(pauses, None)
            if last is None:
                raise
            pause = last
        await asyncio.sleep(pause)

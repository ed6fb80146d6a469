"""Events: what people say, change and delete, and where they look."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any
from weakref import WeakValueDictionary

from slack_bolt.context.async_context import AsyncBoltContext
from slack_bolt.request.async_request import AsyncBoltRequest

from bot.adapters.slack.excusing import Excusing
from bot.adapters.slack.hearing import Hearing
from bot.adapters.slack.home import Home
from bot.adapters.slack.place import event_id, group_of, is_direct
from bot.adapters.slack.words import Event, is_addressed
from bot.adapters.slack.workspaces import Workspace, Workspaces
from bot.desk import Desk
from bot.heard import Heard
from bot.member import Member
from bot.turns import Turns
from bot.wishes import Wishes
from core.errors import ServiceError

log = logging.getLogger(__name__)

LAST_RETRIES = 2
"""Slack delivers three times more; at the second we take what there is rather than wait for five minutes."""
MAX_GRANTED = 1000


class Listening:
    """Takes events. Each is stored before this returns, and Slack is answered after."""

    def __init__(
        self,
        *,
        workspaces: Workspaces,
        hearing: Hearing,
        turns: Turns,
        desk: Desk,
        wishes: Wishes,
        home: Home,
        excusing: Excusing,
    ) -> None:
        self._workspaces = workspaces
        self._hearing = hearing
        self._turns = turns
        self._desk = desk
        self._wishes = wishes
        self._home = home
        self._excusing = excusing
        self._locks: WeakValueDictionary[tuple[object, object], asyncio.Lock] = WeakValueDictionary()
        self._granted: OrderedDict[str, None] = OrderedDict()
        self.withdrawn: set[str] = set()
        """Questions that were deleted or changed while they were being answered."""

    async def on_message(self, event: Event, context: AsyncBoltContext, request: AsyncBoltRequest) -> None:
        """Something was said, changed or deleted."""
        team = str(context.team_id)
        workspace = self._workspaces.of(context.team_id, context.enterprise_id)
        if workspace is None:
            return
        match event.get("subtype"):
            case "message_changed":
                await self._on_change(event, workspace, team)
            case "message_deleted":
                self._withdraw(event_id(team, str(event["channel"]), str(event["deleted_ts"])))
            case _:
                await self._on_said(event, workspace, team, retries=_retries(request))

    async def _on_said(self, event: Event, workspace: Workspace, team: str, *, retries: int) -> None:
        # Both events of a mention come at once; the second waits, so that nothing is looked up twice.
        lock = self._locks.setdefault((event.get("channel"), event.get("ts")), asyncio.Lock())
        async with lock:
            heard: Heard | None = None
            try:
                heard = await self._hearing.hear(event, workspace, team, is_last_chance=retries >= LAST_RETRIES)
                await self.take(heard)
            except ServiceError as error:
                # What could not even be looked at may be between others, who expect nothing of us.
                if heard is not None or _is_said_to_us(event, workspace):
                    self._excusing.excuse(event, workspace, error)
                raise

    async def take(self, heard: Heard | None) -> None:
        """Have what was heard answered, once."""
        if heard is None:
            return
        if heard.spoken is not None:
            await self._grant(heard)
        elif heard.reply is not None:
            await self._turns.tell(heard.incoming, heard.reply)
        else:
            await self._turns.receive(heard.incoming)

    async def _grant(self, heard: Heard) -> None:
        incoming = heard.incoming
        if heard.spoken is None or incoming.event_id in self._granted:
            return
        self._granted[incoming.event_id] = None
        if len(self._granted) > MAX_GRANTED:
            self._granted.popitem(last=False)
        member = Member(incoming.member_id, incoming.member_name, incoming.question.key)
        try:
            reply = await self._wishes.grant(heard.spoken, member)
            if reply is not None:
                await self._turns.tell(incoming, reply)
        except ServiceError:
            # Slack delivers it again, and it is not granted yet.
            self._granted.pop(incoming.event_id, None)
            raise

    async def _on_change(self, event: Event, workspace: Workspace, team: str) -> None:
        """A question that is not answered yet is asked in its new words; one that is stays as it is."""
        channel = str(event["channel"])
        now: Mapping[str, Any] = {**event["message"], "channel": channel}
        before: Mapping[str, Any] = event.get("previous_message") or {}
        if now.get("text") == before.get("text"):
            return
        asked = event_id(team, channel, str(now["ts"]))
        was_asked = self._withdraw(asked)
        is_new = is_addressed(now, workspace.bot_user) and not is_addressed(before, workspace.bot_user)
        is_known = await self._desk.answered.turn(asked, group=group_of(team)) is not None
        if not was_asked and (is_known or not is_new):
            return
        heard = await self._hearing.hear(now, workspace, team)
        if heard is not None and was_asked:
            await self.take(heard.as_changed(now.get("edited", {}).get("ts") or event["ts"]))
        else:
            await self.take(heard)

    def _withdraw(self, asked: str) -> bool:
        """Break off an answer whose question is gone; False if it was not being answered."""
        self.withdrawn.add(asked)
        if self._turns.stop(asked):
            return True
        self.withdrawn.discard(asked)
        return False

    async def on_home(self, event: Event, context: AsyncBoltContext) -> None:
        """Somebody opened the app: its home page, or the conversation with it."""
        workspace = self._workspaces.of(context.team_id, context.enterprise_id)
        if workspace is None:
            return
        user, channel = str(event["user"]), str(event.get("channel") or event["user"])
        if event.get("tab") == "messages":
            self._home.suggest(workspace, str(context.team_id), user, channel)
        else:
            self._home.publish(workspace, str(context.team_id), user, channel)

    async def on_assistant(self, event: Event, context: AsyncBoltContext) -> None:
        """Somebody opened the older assistant pane, which is a thread of its own."""
        workspace = self._workspaces.of(context.team_id, context.enterprise_id)
        thread = event.get("assistant_thread") or {}
        if workspace is not None and thread.get("channel_id"):
            self._home.suggest(
                workspace,
                str(context.team_id),
                str(thread["user_id"]),
                str(thread["channel_id"]),
                thread=str(thread["thread_ts"]),
            )


def _is_said_to_us(event: Event, workspace: Workspace) -> bool:
    return is_addressed(event, workspace.bot_user) or is_direct(str(event["channel"]))


def _retries(request: AsyncBoltRequest) -> int:
    value = (request.headers.get("x-slack-retry-num") or ["0"])[0]
    return int(value) if str(value).isdigit() else 0

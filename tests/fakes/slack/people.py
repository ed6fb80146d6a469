"""What people do in the local Slack."""

import asyncio
import secrets
import time
from typing import Any

from tests.fakes.slack.sockets import Sockets
from tests.fakes.slack.world import APP_ID, Hook, Json, World


class People:
    """Members' moves, each delivered to the app the way Slack delivers it."""

    def __init__(self, world: World, sockets: Sockets, *, base: str) -> None:
        self.world = world
        self.sockets = sockets
        self.base = base
        self.deliveries: list[asyncio.Task[bool]] = []

    # -- events ---------------------------------------------------------------------------------------------

    def event(self, event: Json, *, team: str, event_id: str | None = None) -> Json:
        """Deliver an event; the payload, for delivering it again."""
        bot = self.world.teams[team]
        payload: Json = {
            "team_id": team, "api_app_id": APP_ID, "type": "event_callback", "event": event,
            "event_id": event_id or f"Ev{secrets.token_hex(5).upper()}", "event_time": int(time.time()),
            "authorizations": [{
                "enterprise_id": bot.enterprise, "team_id": team, "user_id": bot.bot_user, "is_bot": True,
                "is_enterprise_install": bot.enterprise is not None,
            }],
        }  # fmt: skip
        if bot.enterprise:
            payload["enterprise_id"] = bot.enterprise
        self.deliveries.append(self.sockets.deliver(payload))
        return payload

    def says(
        self,
        user: str,
        channel: str,
        text: str,
        *,
        thread: str | None = None,
        is_mention_last: bool = False,
        **extra: Any,
    ) -> Json:
        """A message, with its twin event where the bot is mentioned; *is_mention_last* turns their order round."""
        place = self.world.channels[channel]
        ts = self.world.ts()
        message: Json = {
            "type": "message", "user": user, "text": text, "ts": ts, "client_msg_id": secrets.token_hex(8),
            "team": place["team"], "channel": channel, "event_ts": ts, "channel_type": place["kind"], **extra,
        }  # fmt: skip
        if thread:
            message["thread_ts"] = thread
            message["parent_user_id"] = self.world.messages[channel].get(thread, {}).get("user", "")
        self.world.messages[channel][ts] = message
        events = [message]
        if (
            f"<@{self.world.team_of(channel).bot_user}>" in text
            and place["kind"] not in ("im", "mpim")
            and "subtype" not in extra
        ):
            mention = {name: value for name, value in message.items() if name != "channel_type"}
            events.insert(len(events) if is_mention_last else 0, {**mention, "type": "app_mention"})
        for event in events:
            self.event(event, team=place["team"])
        return message

    def edits(self, channel: str, message: Json, text: str) -> None:
        before = dict(message)
        message |= {"text": text, "edited": {"user": message["user"], "ts": self.world.ts()}}
        self._changed(channel, "message_changed", message=dict(message), previous_message=before)

    def deletes(self, channel: str, message: Json) -> None:
        self.world.messages[channel].pop(message["ts"], None)
        self._changed(channel, "message_deleted", deleted_ts=message["ts"], previous_message=dict(message))

    def _changed(self, channel: str, subtype: str, **extra: Any) -> None:
        place, ts = self.world.channels[channel], self.world.ts()
        event = {
            "type": "message",
            "subtype": subtype,
            "channel": channel,
            "channel_type": place["kind"],
            "ts": ts,
        }
        self.event({**event, "event_ts": ts, "hidden": True, **extra}, team=place["team"])

    def opens_home(self, user: str, channel: str, tab: str = "home") -> None:
        event = {
            "type": "app_home_opened",
            "user": user,
            "channel": channel,
            "tab": tab,
            "event_ts": self.world.ts(),
        }
        self.event(event, team=self.world.channels[channel]["team"])

    def opens_assistant(self, user: str, channel: str, about: str) -> str:
        """The older assistant pane: it opens a thread of its own."""
        ts, team = self.world.ts(), self.world.team_of(channel)
        self.world.messages[channel][ts] = {
            "type": "message",
            "user": team.bot_user,
            "text": "",
            "ts": ts,
            "thread_ts": ts,
        }
        thread = {"user_id": user, "channel_id": channel, "thread_ts": ts, "context": {"channel_id": about}}
        event = {"type": "assistant_thread_started", "assistant_thread": thread, "event_ts": self.world.ts()}
        self.event(event, team=team.id)
        return ts

    # -- commands, shortcuts, buttons, forms ----------------------------------------------------------------

    def hook(self, channel: str, user: str, message_ts: str | None = None) -> str:
        hook_id = secrets.token_hex(8)
        self.world.hooks[hook_id] = Hook(channel, user, time.monotonic(), message_ts=message_ts)
        return f"{self.base}/hooks/{hook_id}"

    def _who(self, user: str, team: str) -> Json:
        name = self.world.users[user]["name"]
        bot = self.world.teams[team]
        return {
            "user": {"id": user, "username": name, "name": name, "team_id": team},
            "team": {"id": team, "domain": "study"}, "api_app_id": APP_ID,
            "enterprise": {"id": bot.enterprise} if bot.enterprise else None,
            "is_enterprise_install": bot.enterprise is not None, "trigger_id": self.world.new_trigger(),
        }  # fmt: skip

    async def types(self, user: str, channel: str, command: str, text: str = "") -> Json:
        """A slash command; what it was acknowledged with."""
        place = self.world.channels[channel]
        payload = {
            "team_id": place["team"], "team_domain": "study", "channel_id": channel, "channel_name": place["name"],
            "user_id": user, "user_name": self.world.users[user]["name"], "command": command, "text": text,
            "api_app_id": APP_ID, "is_enterprise_install": "false", "response_url": self.hook(channel, user),
            "trigger_id": self.world.new_trigger(),
        }  # fmt: skip
        return await self.sockets.send("slash_commands", payload, accepts_payload=True)

    async def uses_shortcut(self, user: str, channel: str, message: Json, callback_id: str) -> Json:
        place = self.world.channels[channel]
        payload = {
            **self._who(user, place["team"]), "type": "message_action", "callback_id": callback_id,
            "action_ts": self.world.ts(), "message_ts": message["ts"], "message": message,
            "channel": {"id": channel, "name": place["name"]}, "response_url": self.hook(channel, user),
        }  # fmt: skip
        return await self.sockets.send("interactive", payload, accepts_payload=True)

    async def submits(self, user: str, view: Json, values: Json, *, team: str) -> Json:
        """Send a form in; it closes unless the app answers with errors."""
        filled = {**view, "state": {"values": values}, "app_id": APP_ID, "team_id": team, "hash": "1.a"}
        payload = {**self._who(user, team), "type": "view_submission", "view": filled, "response_urls": []}
        ack = await self.sockets.send("interactive", payload, accepts_payload=True)
        if ack["acked"] and not (ack["payload"] or {}).get("response_action"):
            self.world.views.pop(view["id"], None)
        return ack

    async def clicks(
        self, user: str, channel: str, message: Json, action_id: str, value: str, **extra: Any
    ) -> Json:
        """A button under a message, also under a private one."""
        place = self.world.channels[channel]
        container = {"type": "message", "message_ts": message["ts"], "channel_id": channel}
        payload = {
            **self._who(user, place["team"]), "type": "block_actions", "container": container, "message": message,
            "channel": {"id": channel, "name": place["name"]}, "state": {"values": {}},
            "response_url": self.hook(channel, user, message["ts"]),
            "actions": [self._action(action_id, value, **extra)],
        }  # fmt: skip
        return await self.sockets.send("interactive", payload, accepts_payload=True)

    async def clicks_in_view(self, user: str, view: Json, action_id: str, value: str, *, team: str) -> Json:
        payload = {
            **self._who(user, team), "type": "block_actions", "view": view,
            "actions": [self._action(action_id, value)], "container": {"type": "view", "view_id": view["id"]},
        }  # fmt: skip
        return await self.sockets.send("interactive", payload, accepts_payload=True)

    def _action(self, action_id: str, value: str, **extra: Any) -> Json:
        return {"type": "button", "action_id": action_id, "block_id": "b", "value": value, **extra}

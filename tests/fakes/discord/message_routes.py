"""Messages and threads, as a bot posts, edits and reads them."""

import time
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from tests.fakes.discord.checks import check_message, check_thread_name
from tests.fakes.discord.rest import Rest
from tests.fakes.discord.wire import HAS_THREAD_FLAG, V2_FLAG, Json, Refusal, answer, now_iso
from tests.fakes.discord.world import ANNOUNCEMENT, BOT_ID, FORUM, TEXT, World

Tell = Callable[[str, Json], Awaitable[None]]
NONCE_SECONDS = 300.0
ARCHIVE_MINUTES = {60, 1440, 4320, 10080}


class MessageRoutes:
    """What is under /channels."""

    def __init__(self, world: World, *, tell: Tell) -> None:
        self.edits: dict[str, list[float]] = {}
        """When each message was edited."""
        self.typed: list[str] = []
        """The channels in which the bot typed."""
        self._nonces: dict[tuple[str, str], tuple[float, Json]] = {}
        self._world = world
        self._tell = tell

    def add_to(self, rest: Rest) -> None:
        rest.add("GET", "/channels/{channel}", self.get_channel)
        rest.add("PATCH", "/channels/{channel}", self.edit_channel)
        rest.add("GET", "/channels/{channel}/messages", self.history)
        rest.add("GET", "/channels/{channel}/messages/{message}", self.get_message)
        rest.add("POST", "/channels/{channel}/messages", self.send)
        rest.add("PATCH", "/channels/{channel}/messages/{message}", self.edit)
        rest.add("DELETE", "/channels/{channel}/messages/{message}", self.delete)
        rest.add("POST", "/channels/{channel}/typing", self.typing)
        rest.add("POST", "/channels/{channel}/messages/{message}/threads", self.start_thread)
        rest.add("PUT", "/channels/{channel}/thread-members/@me", self.join_thread)
        rest.add("POST", "/users/@me/channels", self.open_dm)

    def channel(self, channel: str) -> Json:
        if channel not in self._world.channels:
            raise Refusal(404, 10003, "Unknown Channel")
        found = self._world.channels[channel]
        if self._world.is_denied(found, "view_channel"):
            raise Refusal(403, 50001, "Missing Access")
        return found

    def message(self, channel: str, message: str) -> Json:
        found = self._world.messages.get(self.channel(channel)["id"], {}).get(message)
        if found is None:
            raise Refusal(404, 10008, "Unknown Message")
        return found

    async def get_channel(self, request: web.Request, body: Any, channel: str) -> web.Response:
        return answer(self.channel(channel))

    async def edit_channel(self, request: web.Request, body: Any, channel: str) -> web.Response:
        found = self.channel(channel)
        for name in {"archived", "locked", "auto_archive_duration"} & set(body):
            found["thread_metadata"][name] = body[name]
        if "name" in body:
            check_thread_name(body["name"])
            found["name"] = body["name"]
        await self._tell("THREAD_UPDATE" if "thread_metadata" in found else "CHANNEL_UPDATE", found)
        return answer(found)

    async def history(self, request: web.Request, body: Any, channel: str) -> web.Response:
        found = self.channel(channel)
        if self._world.is_denied(found, "read_message_history"):
            return answer([])
        limit, query = int(request.query.get("limit", 50)), request.query
        if not 1 <= limit <= 100:
            raise Refusal.of_form("limit", "NUMBER_TYPE_MAX", "int value should be between 1 and 100.")
        messages = sorted(self._world.messages[channel].values(), key=lambda each: int(each["id"]))
        if "after" in query:
            messages = [each for each in messages if int(each["id"]) > int(query["after"])][:limit]
        if "before" in query:
            messages = [each for each in messages if int(each["id"]) < int(query["before"])]
        return answer([as_fetched(each) for each in messages[-limit:][::-1]])

    async def get_message(self, request: web.Request, body: Any, channel: str, message: str) -> web.Response:
        return answer(as_fetched(self.message(channel, message)))

    async def send(self, request: web.Request, body: Any, channel: str) -> web.Response:
        found = self.channel(channel)
        self._check_may_send(found)
        check_message(body, flags=body.get("flags") or 0)
        known = self._known_by_nonce(channel, body)
        if known is not None:
            return answer(known)
        if (found.get("thread_metadata") or {}).get("archived"):
            found["thread_metadata"]["archived"] = False
            await self._tell("THREAD_UPDATE", found)
        more = {name: body[name] for name in ("embeds", "components", "flags", "nonce") if body.get(name)}
        message = self._world.add_message(
            found, self._world.bot, body.get("content") or "", **more, **self._reference(body, channel)
        )
        apply_mentions(message, body)
        if body.get("nonce"):
            self._nonces[channel, str(body["nonce"])] = time.monotonic(), message
        await self._tell("MESSAGE_CREATE", message)
        return answer(message)

    def _check_may_send(self, channel: Json) -> None:
        if channel["type"] == FORUM:
            raise Refusal(400, 40058, "Cannot send a message in a forum channel")
        is_thread = "thread_metadata" in channel
        if is_thread and channel["thread_metadata"]["locked"]:
            raise Refusal(403, 160005, "Thread is locked")
        if self._world.is_denied(channel, "send_messages_in_threads" if is_thread else "send_messages"):
            raise Refusal(403, 50013, "Missing Permissions")

    def _known_by_nonce(self, channel: str, body: Json) -> Json | None:
        if not body.get("enforce_nonce"):
            return None
        when, message = self._nonces.get((channel, str(body.get("nonce"))), (0.0, {}))
        return message if message and time.monotonic() - when < NONCE_SECONDS else None

    def _reference(self, body: Json, channel: str) -> Json:
        asked = body.get("message_reference")
        if not asked:
            return {}
        target = self._world.messages.get(str(asked.get("channel_id", channel)), {}).get(str(asked["message_id"]))
        if target is None and asked.get("fail_if_not_exists", True):
            raise Refusal.of_form("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
        return self._world.reference(target) if target else {}

    async def edit(self, request: web.Request, body: Any, channel: str, message: str) -> web.Response:
        found = self.message(channel, message)
        if found["author"]["id"] != BOT_ID:
            raise Refusal(403, 50005, "Cannot edit a message authored by another user")
        if (self._world.channels[channel].get("thread_metadata") or {}).get("archived"):
            raise Refusal(400, 50083, "Thread is archived")
        await self.change(found, body)
        return answer(found)

    async def change(self, message: Json, body: Json) -> None:
        """Edit a message of the bot's."""
        check_message(body, flags=(body.get("flags") or 0) | message["flags"], is_edit=True)
        for name, empty in (("content", ""), ("embeds", []), ("components", [])):
            if name in body:
                message[name] = body[name] if body[name] is not None else empty
        message["flags"] |= (body.get("flags") or 0) & V2_FLAG
        message["edited_timestamp"] = now_iso()
        self.edits.setdefault(message["id"], []).append(time.monotonic())
        apply_mentions(message, body)
        await self._tell("MESSAGE_UPDATE", message)

    async def delete(self, request: web.Request, body: Any, channel: str, message: str) -> web.Response:
        found = self.message(channel, message)
        del self._world.messages[channel][message]
        gone = {"id": message, "channel_id": channel, "guild_id": found.get("guild_id")}
        await self._tell("MESSAGE_DELETE", gone)
        return web.Response(status=204)

    async def typing(self, request: web.Request, body: Any, channel: str) -> web.Response:
        self._check_may_send(self.channel(channel))
        self.typed.append(channel)
        return web.Response(status=204)

    async def start_thread(self, request: web.Request, body: Any, channel: str, message: str) -> web.Response:
        parent, starter = self.channel(channel), self.message(channel, message)
        if parent["type"] not in {TEXT, ANNOUNCEMENT}:
            raise Refusal(400, 50024, "Cannot execute action on this channel type")
        if self._world.is_denied(parent, "create_public_threads"):
            raise Refusal(403, 50013, "Missing Permissions")
        if message in self._world.channels:
            raise Refusal(400, 160004, "A thread has already been created for this message")
        check_thread_name(body.get("name"))
        minutes = body.get("auto_archive_duration") or 1440
        if minutes not in ARCHIVE_MINUTES:
            raise Refusal.of_form("auto_archive_duration", "BASE_TYPE_CHOICES", "One of 60, 1440, 4320, 10080.")
        thread = self._world.add_thread(
            parent, body["name"], thread_id=message, owner_id=BOT_ID, archive_minutes=minutes
        )
        starter["thread"], starter["flags"] = thread, starter["flags"] | HAS_THREAD_FLAG
        await self._tell("THREAD_CREATE", {**thread, "newly_created": True})
        return answer(thread, status=201)

    async def join_thread(self, request: web.Request, body: Any, channel: str) -> web.Response:
        self.channel(channel)
        return web.Response(status=204)

    async def open_dm(self, request: web.Request, body: Any) -> web.Response:
        return answer(self._world.dm_with(self._world.users[str(body["recipient_id"])]))


def as_fetched(message: Json) -> Json:
    """A message as REST gives it: only the gateway tells the server and the member."""
    return {name: value for name, value in message.items() if name not in {"member", "guild_id"}}


def apply_mentions(message: Json, body: Json) -> None:
    """Whom a message pings: nobody it was not allowed to."""
    allowed = body.get("allowed_mentions")
    parse = ["users", "roles", "everyone"] if allowed is None else allowed.get("parse", [])
    named = {str(each) for each in (allowed or {}).get("users", [])}
    message["_allowed_mentions"] = allowed
    if "users" not in parse:
        message["mentions"] = [user for user in message["mentions"] if user["id"] in named]
    words = str(message["content"]) + str(message["components"])
    message["mention_everyone"] = "everyone" in parse and ("@everyone" in words or "@here" in words)

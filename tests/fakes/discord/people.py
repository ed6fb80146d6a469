"""What people do: write, reply, edit, delete, use commands, press buttons, fill forms."""

import secrets
from collections.abc import Awaitable, Callable
from typing import Any

from tests.fakes.discord.interaction_routes import Interaction, InteractionRoutes
from tests.fakes.discord.wire import Json, now_iso
from tests.fakes.discord.world import BOT_ID, World

Tell = Callable[[str, Json], Awaitable[None]]
SUB_COMMAND, ATTACHMENT = 1, 11
OPTION_TYPES: dict[type, int] = {str: 3, bool: 5, int: 4}
ATTACHMENT_LIMIT = 10 * 2**20


class People:
    """The human side of this Discord. Each act returns what it made."""

    def __init__(self, world: World, *, interactions: InteractionRoutes, tell: Tell) -> None:
        self._world = world
        self._interactions = interactions
        self._tell = tell
        self.attachments: dict[str, bytes] = {}

    def mention(self) -> str:
        return f"<@{BOT_ID}>"

    async def say(
        self, user: Json, channel: Json, content: str, *, reply_to: Json | None = None, **more: Any
    ) -> Json:
        """Write a message; *reply_to* makes it a reply."""
        more |= self._world.reference(reply_to) if reply_to else {}
        message = self._world.add_message(channel, user, content, **more)
        await self._tell("MESSAGE_CREATE", message)
        return message

    async def ask(self, user: Json, channel: Json, question: str, *, reply_to: Json | None = None) -> Json:
        """Mention the bot with a question."""
        return await self.say(user, channel, f"{self.mention()} {question}", reply_to=reply_to)

    async def edit(self, message: Json, content: str) -> None:
        message["content"], message["edited_timestamp"] = content, now_iso()
        message["mentions"] = [self._world.bot] if self.mention() in content else []
        await self._tell("MESSAGE_UPDATE", message)

    async def delete(self, message: Json) -> None:
        del self._world.messages[message["channel_id"]][message["id"]]
        gone = {"id": message["id"], "channel_id": message["channel_id"], "guild_id": message.get("guild_id")}
        await self._tell("MESSAGE_DELETE", gone)

    async def post_in_forum(self, user: Json, forum: Json, title: str, content: str) -> tuple[Json, Json]:
        """Open a forum post; its thread and its first message, which share an id."""
        thread = self._world.add_thread(forum, title, owner_id=user["id"])
        await self._tell("THREAD_CREATE", {**thread, "newly_created": True})
        message = self._world.add_message(thread, user, content)
        del self._world.messages[thread["id"]][message["id"]]
        message["id"] = thread["id"]
        self._world.messages[thread["id"]][message["id"]] = message
        await self._tell("MESSAGE_CREATE", message)
        return thread, message

    async def slash(self, user: Json, channel: Json, name: str, **options: Any) -> Interaction:
        """Use "/name" or "/name sub" with *options*; bytes are handed in as a file "book.md"."""
        data = self._command_data(name, options)
        return await self._interact(2, user, channel, data)

    async def type_in(
        self, user: Json, channel: Json, name: str, option: str, typed: str, **options: Any
    ) -> Interaction:
        """Type into an option that completes itself."""
        data = self._command_data(name, {**options, option: typed})
        for each in data["options"]:
            each["focused"] = each["name"] == option
        return await self._interact(4, user, channel, data)

    def _command_data(self, name: str, options: dict[str, Any]) -> Json:
        top, _, sub = name.partition(" ")
        command = next((each for each in self._interactions.commands if each["name"] == top), None)
        if command is None:
            raise LookupError(f"/{top} was never registered")
        known = command["options"]
        if sub:
            known = next(each for each in known if each["name"] == sub)["options"]
        by_name = {each["name"]: each for each in known}
        resolved: Json = {}
        given = []
        for option, value in options.items():
            if option not in by_name:
                raise LookupError(f"/{name} has no option {option}")
            if by_name[option]["type"] == ATTACHMENT:
                value = self._attach(value, resolved)  # noqa: PLW2901 - the id stands for the file from here on
            given.append({"name": option, "type": by_name[option]["type"], "value": value})
        inner = [{"name": sub, "type": SUB_COMMAND, "options": given}] if sub else given
        return {"id": command["id"], "name": top, "type": 1, "options": inner, "resolved": resolved}

    def _attach(self, file: tuple[str, bytes], resolved: Json) -> str:
        name, content = file
        attachment_id = self._world.next_id()
        self.attachments[attachment_id] = content
        address = f"{self.address}/attachments/{attachment_id}/{name}"
        resolved.setdefault("attachments", {})[attachment_id] = {
            "id": attachment_id,
            "filename": name,
            "size": len(content),
            "url": address,
            "proxy_url": address,
        }
        return attachment_id

    address = ""
    """Where this server's own files are."""

    async def menu(self, user: Json, message: Json, name: str) -> Interaction:
        """Choose *name* from a message's menu."""
        command = next(each for each in self._interactions.commands if each["name"] == name and each["type"] == 3)
        data = {
            "id": command["id"],
            "name": name,
            "type": 3,
            "target_id": message["id"],
            "resolved": {"messages": {message["id"]: message}},
        }
        return await self._interact(2, user, self._world.channels[message["channel_id"]], data)

    async def press(self, user: Json, message: Json, custom_id: str) -> Interaction:
        """Press a button of a message."""
        data = {"custom_id": custom_id, "component_type": 2}
        return await self._interact(3, user, self._world.channels[message["channel_id"]], data, message)

    async def choose(self, user: Json, message: Json, custom_id: str, value: str) -> Interaction:
        """Choose from a list in a message."""
        data = {"custom_id": custom_id, "component_type": 3, "values": [value]}
        return await self._interact(3, user, self._world.channels[message["channel_id"]], data, message)

    async def submit(self, opened: Interaction, values: dict[str, str]) -> Interaction:
        """Fill in the form that an interaction opened; *values* by the labels of its fields."""
        assert opened.modal is not None, "no form was opened"
        filled = []
        for label in opened.modal["components"]:
            field = label["component"]
            value = values.get(label["label"], "")
            filled.append({"type": 18, "id": 1, "component": {**field, "id": 2, "value": value}})
        data = {"custom_id": opened.modal["custom_id"], "components": filled}
        return await self._interact(5, opened.user, opened.channel, data, opened.message)

    async def _interact(
        self, kind: int, user: Json, channel: Json, data: Json, message: Json | None = None
    ) -> Interaction:
        guild_id = channel.get("guild_id")
        payload: Json = {
            "id": self._world.next_id(),
            "application_id": BOT_ID,
            "type": kind,
            "token": "interaction." + secrets.token_urlsafe(32),
            "version": 1,
            "data": data,
            "channel_id": channel["id"],
            "channel": channel,
            "app_permissions": str(2**52 - 1),
            "locale": "en-US",
            "entitlements": [],
            "authorizing_integration_owners": {"0": guild_id or "0"},
            "context": 0 if guild_id else 1,
            "attachment_size_limit": ATTACHMENT_LIMIT,
        }
        if guild_id:
            payload |= {"guild_id": guild_id, "member": self._world.member(guild_id, user)}
        else:
            payload["user"] = user
        if message is not None:
            payload["message"] = message
        interaction = Interaction(payload["id"], payload["token"], payload, channel, user, message)
        self._interactions.by_token[interaction.token] = interaction
        await self._tell("INTERACTION_CREATE", payload)
        return interaction

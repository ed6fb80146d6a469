"""Interactions: the 3-second and 15-minute clocks, one acknowledgement each, follow-ups by token."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.fakes.discord.checks import check_choices, check_command, check_message, check_modal
from tests.fakes.discord.message_routes import MessageRoutes, apply_mentions
from tests.fakes.discord.rest import Rest
from tests.fakes.discord.wire import EPHEMERAL_FLAG, LOADING_FLAG, V2_FLAG, Json, Refusal, answer
from tests.fakes.discord.world import BOT_ID, World

Tell = Callable[[str, Json], Awaitable[None]]
SAY, DEFER, DEFER_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
MODAL_SUBMIT = 5


@dataclass
class Interaction:
    """One use of a command, a button or a form, and what came of it."""

    id: str
    token: str
    payload: Json
    channel: Json
    user: Json
    message: Json | None = None
    created: float = field(default_factory=time.monotonic)
    acknowledged: int | None = None
    ack_seconds: float | None = None
    original: Json | None = None
    """The message that answers it."""
    follow_ups: list[Json] = field(default_factory=list)
    modal: Json | None = None
    choices: list[Json] | None = None


class InteractionRoutes:
    """What is under /interactions, /webhooks and /applications."""

    def __init__(self, world: World, *, messages: MessageRoutes, tell: Tell) -> None:
        self.ack_seconds = 3.0
        self.token_seconds = 900.0
        self.by_token: dict[str, Interaction] = {}
        self.commands: list[Json] = []
        self._world = world
        self._messages = messages
        self._tell = tell

    def add_to(self, rest: Rest) -> None:
        rest.add("GET", "/applications/{app}/commands", self.list_commands)
        rest.add("PUT", "/applications/{app}/commands", self.register_commands)
        rest.add("POST", "/interactions/{interaction}/{token}/callback", self.callback)
        rest.add("POST", "/webhooks/{app}/{token}", self.follow_up)
        rest.add("GET", "/webhooks/{app}/{token}/messages/{message}", self.get)
        rest.add("PATCH", "/webhooks/{app}/{token}/messages/{message}", self.edit)
        rest.add("DELETE", "/webhooks/{app}/{token}/messages/{message}", self.delete)

    async def list_commands(self, request: web.Request, body: Any, app: str) -> web.Response:
        return answer(self.commands)

    async def register_commands(self, request: web.Request, body: Any, app: str) -> web.Response:
        for command in body:
            check_command(command)
        self.commands = [
            {
                **command,
                "id": self._world.next_id(),
                "application_id": app,
                "version": self._world.next_id(),
                "type": command.get("type", 1),
                "description": command.get("description", ""),
                "options": command.get("options", []),
            }
            for command in body
        ]
        return answer(self.commands)

    async def callback(self, request: web.Request, body: Any, interaction: str, token: str) -> web.Response:
        known = self.by_token.get(token)
        if known is None or known.id != interaction or time.monotonic() - known.created > self.ack_seconds:
            raise Refusal(404, 10062, "Unknown interaction")
        if known.acknowledged is not None:
            raise Refusal(400, 40060, "Interaction has already been acknowledged.")
        kind, data = body["type"], body.get("data") or {}
        self._check(known, kind, data)
        known.acknowledged, known.ack_seconds = kind, time.monotonic() - known.created
        await self._apply(known, kind, data)
        told: Json = {"interaction": {"id": interaction, "type": known.payload["type"]}}
        if known.original is not None and kind in {SAY, DEFER, UPDATE}:
            told["interaction"]["response_message_id"] = known.original["id"]
            told["resource"] = {"type": kind, "message": known.original}
        wants_body = request.query.get("with_response") in {"1", "true", "True"}
        return answer(told) if wants_body else web.Response(status=204)

    def _check(self, known: Interaction, kind: int, data: Json) -> None:
        if kind in {SAY, UPDATE}:
            flags = (data.get("flags") or 0) | ((known.message or {}).get("flags", 0) if kind == UPDATE else 0)
            check_message(data, flags=flags, is_edit=kind == UPDATE)
        if kind == DEFER and (data.get("flags") or 0) & ~EPHEMERAL_FLAG:
            raise Refusal.of_form("data.flags", "BASE_TYPE_CHOICES", "A deferral may only be ephemeral.")
        if kind == CHOICES:
            check_choices(data.get("choices") or [])
        if kind == MODAL:
            if known.payload["type"] == MODAL_SUBMIT:
                raise Refusal.of_form("type", "BASE_TYPE_CHOICES", "A form cannot answer a form.")
            check_modal(data)

    async def _apply(self, known: Interaction, kind: int, data: Json) -> None:
        if kind == SAY:
            known.original = await self._post(known, data)
        elif kind == DEFER:
            private = (data.get("flags") or 0) & EPHEMERAL_FLAG
            known.original = await self._post(known, {"flags": private | LOADING_FLAG})
        elif kind in {DEFER_UPDATE, UPDATE}:
            known.original = known.message
            if kind == UPDATE and known.message is not None:
                await self._messages.change(known.message, data)
        elif kind == CHOICES:
            known.choices = data.get("choices") or []
        elif kind == MODAL:
            known.modal = data

    async def _post(self, known: Interaction, data: Json) -> Json:
        who = {"id": known.id, "type": known.payload["type"], "user": known.user}
        message = self._world.add_message(
            known.channel,
            self._world.bot,
            data.get("content") or "",
            embeds=data.get("embeds") or [],
            components=data.get("components") or [],
            flags=data.get("flags") or 0,
            application_id=BOT_ID,
            webhook_id=BOT_ID,
            interaction_metadata={**who, "authorizing_integration_owners": {}},
        )
        apply_mentions(message, data)
        if message["flags"] & EPHEMERAL_FLAG:
            # Only its reader has it: it is in no history.
            del self._world.messages[known.channel["id"]][message["id"]]
        else:
            await self._tell("MESSAGE_CREATE", message)
        return message

    def _by_token(self, token: str) -> Interaction:
        known = self.by_token.get(token)
        if known is None or known.acknowledged is None:
            raise Refusal(404, 10015, "Unknown Webhook")
        if time.monotonic() - known.created > self.token_seconds:
            raise Refusal(401, 50027, "Invalid Webhook Token")
        return known

    def _message(self, known: Interaction, message: str) -> Json:
        if message == "@original":
            if known.original is None:
                raise Refusal(404, 10008, "Unknown Message")
            return known.original
        for each in (known.original, *known.follow_ups):
            if each is not None and each["id"] == message:
                return each
        raise Refusal(404, 10008, "Unknown Message")

    async def follow_up(self, request: web.Request, body: Any, app: str, token: str) -> web.Response:
        known = self._by_token(token)
        check_message(body, flags=body.get("flags") or 0)
        if known.acknowledged == DEFER and known.original and known.original["flags"] & LOADING_FLAG:
            known.original["flags"] &= ~LOADING_FLAG
            await self._messages.change(known.original, body)
            return answer(known.original)
        message = await self._post(known, body)
        known.follow_ups.append(message)
        return answer(message)

    async def get(self, request: web.Request, body: Any, app: str, token: str, message: str) -> web.Response:
        return answer(self._message(self._by_token(token), message))

    async def edit(self, request: web.Request, body: Any, app: str, token: str, message: str) -> web.Response:
        found = self._message(self._by_token(token), message)
        found["flags"] &= ~LOADING_FLAG
        found["flags"] |= (body.get("flags") or 0) & V2_FLAG
        await self._messages.change(found, body)
        return answer(found)

    async def delete(self, request: web.Request, body: Any, app: str, token: str, message: str) -> web.Response:
        found = self._message(self._by_token(token), message)
        self._world.messages[found["channel_id"]].pop(found["id"], None)
        return web.Response(status=204)

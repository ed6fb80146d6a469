"""Posting and editing one reply's messages, by ids alone: a restart needs no cache."""

from typing import Protocol

import discord
from discord import ui

from bot.adapters.discord.custom_ids import part_of
from bot.adapters.discord.pace import Pace
from bot.adapters.discord.target import InteractionTarget, MessageTarget
from bot.adapters.discord.threads import Threads
from bot.adapters.discord.trouble import EXPIRED, THREAD_IS_ARCHIVED

LOOK_BACK = 100
"""How many messages after a question are looked through for a half-sent reply."""


class Expired(Exception):
    """The interaction can no longer be answered where it was."""


class Poster(Protocol):
    """One reply's way to its place. Discord's own errors come through."""

    @property
    def place_id(self) -> int | None:
        """The channel whose limits it shares with others; None if not known yet, or if they are its own."""

    async def open(self) -> None:
        """Make the place of the reply, where that is ours to do."""

    async def type(self) -> None: ...

    async def post(self, layout: ui.LayoutView, *, number: int, nonce: str) -> int:
        """Post part *number*; the id of its message."""

    async def edit(self, message_id: int, layout: ui.LayoutView) -> None: ...

    async def delete(self, message_id: int) -> None: ...

    async def find(self, nonce: str) -> dict[int, int]:
        """The message ids of the parts that are there already."""


class ChannelPoster:
    """Replies in a channel, or in the thread that a question opens."""

    def __init__(
        self, client: discord.Client, target: MessageTarget, *, asker: int, pace: Pace, threads: Threads
    ) -> None:
        self._client = client
        self._threads = threads
        self._pace = pace
        self._target = target
        self._mentions = only(asker)
        self._place: discord.PartialMessageable | None = None

    @property
    def place_id(self) -> int | None:
        return self._place.id if self._place else None

    async def open(self) -> None:
        await self._open()

    async def type(self) -> None:
        place = await self._open()
        await self._pace.take()
        await place.typing()

    async def post(self, layout: ui.LayoutView, *, number: int, nonce: str) -> int:
        place = await self._open()
        is_beside = number == 0 and place.id == self._target.channel and self._target.message
        reference = (
            discord.MessageReference(
                message_id=self._target.message, channel_id=self._target.channel, fail_if_not_exists=False
            )
            if is_beside
            else None
        )
        await self._pace.take()
        # discord.py takes None for no reference, though its types do not say so.
        sent = await place.send(
            view=layout,
            nonce=f"{nonce}-{number}",
            reference=reference,  # type: ignore[arg-type]
            allowed_mentions=self._mentions,
            mention_author=False,
        )
        return sent.id

    async def edit(self, message_id: int, layout: ui.LayoutView) -> None:
        place = await self._open()
        await self._pace.take()
        try:
            await place.get_partial_message(message_id).edit(
                content=None, view=layout, allowed_mentions=self._mentions
            )
        except discord.HTTPException as error:
            if error.code != THREAD_IS_ARCHIVED:
                raise
            await self._client.http.edit_channel(place.id, archived=False)
            await place.get_partial_message(message_id).edit(
                content=None, view=layout, allowed_mentions=self._mentions
            )

    async def delete(self, message_id: int) -> None:
        await (await self._open()).get_partial_message(message_id).delete()

    async def find(self, nonce: str) -> dict[int, int]:
        place = await self._open()
        await self._pace.take()
        return await find_parts(self._client, place, nonce, after=self._target.message)

    async def _open(self) -> discord.PartialMessageable:
        """The place of the reply; the thread is opened if it is not there yet."""
        if self._place is None:
            thread = await self._threads.open(self._target) if self._target.opens_thread else None
            self._place = self._channel(thread or self._target.channel)
        return self._place

    def _channel(self, channel_id: int) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel_id, guild_id=self._target.guild)


class DirectPoster(ChannelPoster):
    """Replies to a member alone, in direct messages."""

    def __init__(self, client: discord.Client, *, asker: int, pace: Pace, threads: Threads) -> None:
        super().__init__(client, MessageTarget(channel=0, message=0), asker=asker, pace=pace, threads=threads)
        self._asker = asker

    async def _open(self) -> discord.PartialMessageable:
        if self._place is None:
            await self._pace.take()
            opened = await self._client.http.start_private_message(self._asker)
            self._place = self._client.get_partial_messageable(int(opened["id"]))
        return self._place


def only(asker: int) -> discord.AllowedMentions:
    """Nobody may be pinged but the one who asked."""
    return discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(asker)], replied_user=False)


class InteractionPoster:
    """Replies to a command, a button or a form, by its token."""

    def __init__(self, client: discord.Client, target: InteractionTarget) -> None:
        self._client = client
        self._target = target
        self._webhook = discord.Webhook.partial(target.application, target.token, client=client)
        self._mentions = discord.AllowedMentions.none()

    @property
    def place_id(self) -> None:
        """Each interaction has limits of its own."""

    async def open(self) -> None:
        """Nothing to do: the command was acknowledged where it stands."""

    async def type(self) -> None:
        """Nothing to do: Discord itself shows that the bot is thinking."""

    async def post(self, layout: ui.LayoutView, *, number: int, nonce: str) -> int:
        try:
            if number == 0:
                return await self._fill(layout)
            sent = await self._webhook.send(
                view=layout, wait=True, ephemeral=self._target.is_private, allowed_mentions=self._mentions
            )
            return sent.id
        except discord.HTTPException as error:
            raise _or_expired(error) from error

    async def _fill(self, layout: ui.LayoutView) -> int:
        """Put the first part in the place of "thinking …"."""
        original: int = _Original()  # type: ignore[assignment]
        message = await self._webhook.edit_message(original, view=layout, allowed_mentions=self._mentions)
        return message.id

    async def edit(self, message_id: int, layout: ui.LayoutView) -> None:
        try:
            await self._webhook.edit_message(message_id, view=layout, allowed_mentions=self._mentions)
        except discord.HTTPException as error:
            raise _or_expired(error) from error

    async def delete(self, message_id: int) -> None:
        await self._webhook.delete_message(message_id)

    async def find(self, nonce: str) -> dict[int, int]:
        if self._target.is_private:
            return {}
        place = self._client.get_partial_messageable(self._target.channel, guild_id=self._target.guild)
        try:
            return await find_parts(self._client, place, nonce, after=None)
        except discord.Forbidden:
            # It may be used where the bot itself is not.
            return {}


class _Original:
    """The first answer to an interaction, while its id is unknown. A string would be quoted in the address."""

    def __str__(self) -> str:
        return "@original"


def _or_expired(error: discord.HTTPException) -> Exception:
    return Expired() if error.code in EXPIRED or error.status == 401 else error


async def find_parts(
    client: discord.Client, place: discord.PartialMessageable, nonce: str, *, after: int | None
) -> dict[int, int]:
    """Which parts of a reply are in a channel already: by number, the ids of their messages."""
    found: dict[int, int] = {}
    start = discord.Object(after) if after else None
    async for message in place.history(limit=LOOK_BACK, after=start, oldest_first=True if start else None):
        if client.user is None or message.author.id != client.user.id:
            continue
        for mark in _marks(message.components):
            part = part_of(mark, nonce)
            if part is not None:
                found.setdefault(part, message.id)
    return found


def _marks(components: object) -> list[int]:
    marks: list[int] = []
    for component in components if isinstance(components, list) else []:
        if isinstance(component, discord.TextDisplay) and component.id is not None:
            marks.append(component.id)
        marks += _marks(getattr(component, "children", None))
    return marks

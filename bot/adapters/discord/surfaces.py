"""One turn's place on Discord: progress and reply, posted once and edited after."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import discord
from discord import ui

from bot import wording
from bot.adapters.discord.layouts import progress_layout, reply_layouts
from bot.adapters.discord.pace import Pace
from bot.adapters.discord.posters import ChannelPoster, DirectPoster, Expired, InteractionPoster, Poster
from bot.adapters.discord.target import InteractionTarget, MessageTarget, Target, from_json
from bot.adapters.discord.threads import Threads
from bot.adapters.discord.trouble import TROUBLE, UNKNOWN_MESSAGE, translated
from bot.incoming import Incoming
from bot.markup import escape_discord
from bot.public_page import PublicPage
from bot.reply import Reply
from bot.surface import Delivery, Progress, Surface, Undeliverable
from core.model import Stage


class DiscordSurface:
    """Shows one reply through a poster; where that expires, through another."""

    def __init__(
        self,
        client: discord.Client,
        *,
        poster: Poster,
        asker: int,
        pace: Pace,
        threads: Threads,
        page: PublicPage,
        notes: tuple[str, ...] = (),
        heading: str = "",
        elsewhere: Callable[[], Poster] | None = None,
        is_withdrawn: Callable[[], bool] = lambda: False,
    ) -> None:
        self._client = client
        self._pace = pace
        self._threads = threads
        self._page = page
        self._poster = poster
        self._asker = asker
        self._notes = notes
        self._heading = heading
        self._elsewhere = elsewhere
        self._is_withdrawn = is_withdrawn
        self._is_elsewhere = False
        self._has_looked = False

    async def show(self, progress: Progress, delivery: Delivery) -> None:
        """Open the reply's place and type; post something to edit only if the answer takes a while."""
        is_first = progress.stage is Stage.RECEIVED and not progress.text and progress.queue_place is None
        with translated(self._client):
            # A new question gets its first sign at once; for all else replies come first, and progress takes
            # what is left of Discord's patience.
            is_new = is_first and not delivery.is_retry
            if not is_new and not await self._pace.plenty(delivery.is_awaited, place=self._poster.place_id):
                return
            if is_first and not delivery.posted:
                await self._begin(delivery)
                return
            layout = progress_layout(progress, delivery.nonce)
            with suppress(Expired):
                posted = await self._posted(delivery)
                await self._put(layout, 0, posted, delivery)

    async def _begin(self, delivery: Delivery) -> None:
        """Open the place of the reply, so that it can be seen where it will stand, and type there."""
        may_type = self._pace.has_plenty()
        await self._poster.open()
        if may_type and delivery.is_awaited():
            await self._poster.type()

    async def deliver(self, reply: Reply, delivery: Delivery) -> None:
        try:
            with translated(self._client):
                if self._is_withdrawn():
                    await self._take_back(delivery)
                    return
                try:
                    await self._deliver(reply, delivery)
                except Expired:
                    await self._deliver_elsewhere(reply, delivery)
        except Undeliverable:
            await self._excuse(delivery)
            raise

    async def _take_back(self, delivery: Delivery) -> None:
        """The question is gone or was changed: what was shown of its answer goes too."""
        for message_id in delivery.posted:
            with suppress(discord.NotFound):
                await self._poster.delete(int(message_id))

    async def _deliver_elsewhere(self, reply: Reply, delivery: Delivery) -> None:
        if self._elsewhere is None:
            raise Undeliverable("the interaction has expired") from None
        self._poster, self._is_elsewhere = self._elsewhere(), True
        # What was posted so far belongs to the interaction and cannot be edited any more.
        found = await self._poster.find(delivery.nonce) if delivery.is_retry else {}
        await self._deliver(reply, replace(delivery, posted=tuple(str(found[part]) for part in sorted(found))))

    async def _excuse(self, delivery: Delivery) -> None:
        """Tell the member alone that we may not write where they asked, if they take direct messages."""
        excuse = reply_layouts(Reply.notice(wording.NO_PERMISSION), delivery.nonce)[0]
        with suppress(*TROUBLE):
            await DirectPoster(self._client, asker=self._asker, pace=self._pace, threads=self._threads).post(
                excuse, number=0, nonce=f"{delivery.nonce}e"
            )

    async def _deliver(self, reply: Reply, delivery: Delivery) -> None:
        reply = self._page.reply(replace(reply, notes=(*self._notes, *reply.notes)))
        is_late = wording.LATE in reply.notes or self._is_elsewhere
        addressed_to = f"<@{self._asker}>" if is_late else ""
        if self._heading:
            addressed_to = f"{addressed_to}\n-# {escape_discord(self._heading)}\n".lstrip()
        posted = await self._posted(delivery)
        for number, layout in enumerate(reply_layouts(reply, delivery.nonce, addressed_to=addressed_to)):
            await self._put(layout, number, posted, delivery)

    async def _posted(self, delivery: Delivery) -> list[int]:
        """The ids of the parts that are there; after a restart, those too whose ids were never stored."""
        posted = [int(message_id) for message_id in delivery.posted]
        if delivery.is_retry and not self._has_looked:
            self._has_looked = True
            found = await self._poster.find(delivery.nonce)
            for number in range(len(posted), len(posted) + len(found)):
                if number not in found:
                    break
                posted.append(found[number])
                await delivery.save(str(found[number]))
        return posted

    async def _put(self, layout: ui.LayoutView, number: int, posted: list[int], delivery: Delivery) -> None:
        nonce = delivery.nonce
        if number < len(posted):
            try:
                await self._poster.edit(posted[number], layout)
                return
            except discord.NotFound as error:
                if error.code != UNKNOWN_MESSAGE:
                    raise
                # Somebody deleted it meanwhile; the member still gets the reply. Discord remembers the nonce.
                nonce = f"{nonce}x"
        message_id = await self._poster.post(layout, number=number, nonce=nonce)
        await delivery.save(str(message_id))


class Surfaces:
    """What the turns need to show replies on Discord."""

    def __init__(
        self, client: discord.Client, *, pace: Pace, page: PublicPage, is_withdrawn: Callable[[str], bool]
    ) -> None:
        self._client = client
        self._pace = pace
        self._threads = Threads(client, pace)
        self._page = page
        self._is_withdrawn = is_withdrawn

    def open(self, incoming: Incoming) -> Surface:
        """The place where the reply to a stored event belongs."""
        target, asker = from_json(incoming.surface), int(incoming.member_id)
        beside = self._beside(target, asker)
        is_interaction = isinstance(target, InteractionTarget)
        return DiscordSurface(
            self._client,
            poster=InteractionPoster(self._client, target) if isinstance(target, InteractionTarget) else beside(),
            asker=asker,
            pace=self._pace,
            threads=self._threads,
            page=self._page,
            notes=target.notes,
            heading=target.question if isinstance(target, InteractionTarget) else "",
            elsewhere=beside if is_interaction else None,
            is_withdrawn=lambda: self._is_withdrawn(incoming.event_id),
        )

    def _beside(self, target: Target, asker: int) -> Callable[[], Poster]:
        """Where a reply goes without an interaction, naming the member; what is private stays private."""

        def poster() -> Poster:
            if isinstance(target, InteractionTarget) and target.is_private:
                return DirectPoster(self._client, asker=asker, pace=self._pace, threads=self._threads)
            place = target
            if isinstance(place, InteractionTarget):
                place = MessageTarget(place.channel, 0, place.guild)
            return ChannelPoster(self._client, place, asker=asker, pace=self._pace, threads=self._threads)

        return poster

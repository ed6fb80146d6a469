"""The Discord client: events in, turns out."""

import asyncio
import logging
import secrets
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import discord
from discord import app_commands

from bot import wording
from bot.adapters.discord.acts import Acts
from bot.adapters.discord.addresses import invite_link
from bot.adapters.discord.askers import Askers
from bot.adapters.discord.catching_up import CatchingUp
from bot.adapters.discord.commands import add_member_commands, help_text
from bot.adapters.discord.completing import Completing
from bot.adapters.discord.groups import Groups
from bot.adapters.discord.hearing import Hearing, as_changed
from bot.adapters.discord.leader_commands import add_leader_commands, add_report_command
from bot.adapters.discord.pace import SHOW_EVERY_SECONDS, Pace
from bot.adapters.discord.place import PLATFORM, message_event
from bot.adapters.discord.searches import Searches
from bot.adapters.discord.surfaces import Surfaces
from bot.adapters.discord.syncing import sync_commands
from bot.adapters.discord.trouble import TROUBLE
from bot.adapters.discord.words import is_addressed
from bot.desk import Desk
from bot.heard import Heard
from bot.member import Member
from bot.permissions import Permissions
from bot.public_page import PublicPage
from bot.turns import Turns
from bot.wishes import Wishes
from core.errors import ServiceError
from core.settings import Settings
from core.ticker import Ticker

RETRY_PAUSES = (0.5, 2.0, 5.0, 15.0, 60.0)
log = logging.getLogger(__name__)


class FootnoteClient(discord.Client):
    """Hears what is said, stores it, and leaves the rest to the turns."""

    def __init__(
        self,
        *,
        settings: Settings,
        turns: Turns,
        desk: Desk,
        pace: Pace,
        reads_content: bool,
        guild_ready_seconds: float,
        late_after: timedelta,
        presence_seconds: float,
        when_ready: Callable[[], None],
    ) -> None:
        super().__init__(
            intents=intents(reads_content=reads_content),
            allowed_mentions=discord.AllowedMentions.none(),
            guild_ready_timeout=guild_ready_seconds,
            max_messages=1000,
        )
        permissions = Permissions(
            channels=frozenset(settings.discord_channels),
            roles=frozenset(settings.discord_roles),
            leader_roles=frozenset(settings.discord_leader_roles),
        )
        self.was_ready = False
        self._is_connected = False
        self._has_caught_up = False
        self._late_after = late_after
        self._presence_seconds = presence_seconds
        self._noting = Ticker(self._note, name="noting that Discord is heard")
        self._when_ready = when_ready
        self._turns = turns
        self._desk = desk
        self._data_dir: Path = settings.data_dir
        self._pace = pace
        self._withdrawn: set[str] = set()
        self._catching_up = CatchingUp(
            self, places=desk.places, pace=self._pace, max_hours=settings.catch_up_hours
        )
        groups = Groups(self, self._pace, permissions)
        self._hearing = Hearing(desk=desk, permissions=permissions, groups=groups)
        askers, searches = Askers(desk=desk, groups=groups, permissions=permissions), Searches()
        self._page = PublicPage(settings.public_url)
        self._acts = Acts(turns=turns, desk=desk, askers=askers, searches=searches, page=self._page)
        self.tree = app_commands.CommandTree(self)
        completing = Completing(desk=desk, askers=askers)
        add_member_commands(
            self.tree,
            desk=desk,
            acts=self._acts,
            askers=askers,
            searches=searches,
            completing=completing,
            page=self._page,
        )
        add_leader_commands(self.tree, desk=desk, askers=askers, completing=completing)
        add_report_command(self.tree, desk=desk, askers=askers)

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Pass an event on, but not while closing: it would find no loop any more."""
        if not self.is_closed():
            super().dispatch(event, *args, **kwargs)

    async def setup_hook(self) -> None:
        """Before the first event: our place on Discord, and what an earlier process left open."""
        surfaces = Surfaces(self, pace=self._pace, page=self._page, is_withdrawn=self._withdrawn.__contains__)
        self._turns.register(PLATFORM, surfaces.open, show_every_seconds=SHOW_EVERY_SECONDS)
        await sync_commands(self.tree, self._data_dir)
        await self._turns.resume(PLATFORM)

    async def on_disconnect(self) -> None:
        self._is_connected = False

    async def on_resumed(self) -> None:
        """Discord has told us again what we missed."""
        self._is_connected = True

    async def on_ready(self) -> None:
        self._is_connected, self._has_caught_up = True, False
        assert self.application_id is not None, "we are logged in"
        log.info("Discord: logged in as %s, on %d servers", self.user, len(self.guilds))
        log.info("Discord: invite me with %s", invite_link(self.application_id))
        count = await self._catching_up.catch_up(lambda message: self._take(message, is_late=True))
        if count:
            log.info("Discord: looked through %d messages that came while we were away", count)
        self.was_ready = self._has_caught_up = True
        await self._noting.tick()
        self._when_ready()

    async def note_presence(self) -> None:
        """Keep in mind until when we listened, so that the next start knows from where to look."""
        await self._noting.run(every_seconds=self._presence_seconds)

    async def _note(self) -> None:
        # What came before is looked through first, or it would be lost at the next start; and while the
        # socket is broken, we do not hear, though discord.py calls itself ready.
        if self._is_connected and self._has_caught_up:
            await self._desk.places.listened(PLATFORM)

    async def on_message(self, message: discord.Message) -> None:
        await self._take(message)

    async def on_message_edit(self, before: discord.Message, after: discord.Message) -> None:
        """Ask a question in its new words if it is not answered yet; a mention added later makes one too."""
        if before.content == after.content or self.user is None:
            return
        was_asked = self._withdraw(after.id)
        is_new = is_addressed(after, self.user) and not is_addressed(before, self.user)
        if was_asked or is_new:
            await self._take(after, is_changed=was_asked)

    async def on_raw_message_delete(self, event: discord.RawMessageDeleteEvent) -> None:
        """A question that was deleted is not answered any more."""
        self._withdraw(event.message_id)

    def _withdraw(self, message_id: int) -> bool:
        """Break off an answer whose question is gone; False if it is not being answered."""
        event_id = message_event(message_id)
        self._withdrawn.add(event_id)
        if self._turns.stop(event_id):
            return True
        self._withdrawn.discard(event_id)
        return False

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        await self._acts.take(interaction)

    async def _take(self, message: discord.Message, *, is_late: bool = False, is_changed: bool = False) -> None:
        assert self.user is not None, "we are logged in"
        is_old = datetime.now(UTC) - message.created_at > self._late_after
        for pause in RETRY_PAUSES:
            heard: Heard | None = None
            try:
                heard = await self._hearing.hear(message, self.user, is_late=is_late and is_old)
                if heard is not None:
                    await self._carry(as_changed(heard, message) if is_changed else heard)
                return
            except ServiceError as error:
                # It could not even be stored, so it cannot be answered later either.
                # What could not even be looked at may be between others, who expect nothing of us.
                is_to_us = heard is not None or message.guild is None or is_addressed(message, self.user)
                await self._not_stored(message, error, is_to_us=is_to_us)
                return
            except TROUBLE as error:
                # What it replies to could not be read just now.
                log.warning("a message could not be understood (%s: %s); again soon", type(error).__name__, error)
                await asyncio.sleep(pause)
        log.error("message %s is given up: Discord does not give what is needed to understand it", message.id)

    async def _carry(self, heard: Heard) -> None:
        incoming, reply = heard.incoming, heard.reply
        if heard.spoken is not None:
            member = Member(incoming.member_id, incoming.member_name, incoming.question.key)
            wishes = Wishes(desk=self._desk, turns=self._turns, help_text=help_text(self))
            reply = await wishes.grant(heard.spoken, member)
            if reply is None:
                return
        if reply is None:
            await self._turns.receive(incoming)
        else:
            await self._turns.tell(incoming, reply)

    async def _not_stored(self, message: discord.Message, error: ServiceError, *, is_to_us: bool) -> None:
        reference = secrets.token_hex(3)
        log.error("a message could not be stored: %s", error, extra={"reference": reference})
        if not is_to_us:
            return
        try:
            await message.reply(wording.for_error(error, reference=reference), mention_author=False)
        except TROUBLE:
            log.warning("not even an excuse could be sent", exc_info=True)


def intents(*, reads_content: bool) -> discord.Intents:
    """Only what is needed: servers, messages, and the words in them if the portal's switch is on."""
    return discord.Intents(guilds=True, guild_messages=True, dm_messages=True, message_content=reads_content)

"""Puts the Slack bot together: every listener, and a catch-all so that nothing is left unanswered."""

import logging
import re
from collections.abc import Awaitable, Callable
from typing import cast

import aiohttp
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.context.ack.async_ack import AsyncAck
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.acts import Acts
from bot.adapters.slack.answering import Background
from bot.adapters.slack.askers import Asking
from bot.adapters.slack.commands import Commands
from bot.adapters.slack.excusing import Excusing
from bot.adapters.slack.hearing import Hearing
from bot.adapters.slack.home import Home
from bot.adapters.slack.leader_commands import Books
from bot.adapters.slack.listening import Listening
from bot.adapters.slack.naming import Naming
from bot.adapters.slack.pace import Pace
from bot.adapters.slack.place import PLATFORM
from bot.adapters.slack.pressing import Pressing
from bot.adapters.slack.private import PrivateSurface
from bot.adapters.slack.roles import Roles
from bot.adapters.slack.surfaces import NowhereSurface, SlackSurface
from bot.adapters.slack.target import PrivateTarget, from_json
from bot.adapters.slack.workspaces import Workspaces
from bot.desk import Desk
from bot.incoming import Incoming
from bot.permissions import Permissions
from bot.public_page import PublicPage
from bot.surface import Surface
from bot.turns import Turns
from bot.wishes import Wishes

log = logging.getLogger(__name__)

ASK_ABOUT = "ask_about"
"""The message shortcut's callback id, as the manifest names it."""
EVENTS = ("app_mention", "message", "app_home_opened")
"""What we act on; the manifest asks Slack for these."""
OLDER_EVENT = "assistant_thread_started"
"""What apps made before the agent view get in place of app_home_opened."""


class SlackBot:
    """All parts of the bot for the workspaces it serves."""

    def __init__(
        self,
        *,
        client: AsyncWebClient,
        session: aiohttp.ClientSession,
        workspaces: Workspaces,
        turns: Turns,
        desk: Desk,
        permissions: Permissions,
        pace: Pace,
        page: PublicPage,
        naming: Naming,
        poll_seconds: float = 2.0,
    ) -> None:
        self._session = session
        self.client = client
        self._workspaces = workspaces
        self._turns = turns
        self._pace = pace
        self._page = page
        self.background = Background()
        roles = Roles(permissions)
        self.hearing = Hearing(desk=desk, roles=roles)
        self._naming = naming
        asking = Asking(turns)
        books = Books(desk=desk, session=session, poll_seconds=poll_seconds)
        self.listening = Listening(
            workspaces=workspaces,
            hearing=self.hearing,
            turns=turns,
            desk=desk,
            wishes=Wishes(desk=desk, turns=turns, help_text=naming.help_text),
            home=Home(desk=desk, roles=roles, background=self.background, naming=naming),
            excusing=Excusing(self.background),
        )
        self._pressing = Pressing(
            workspaces=workspaces,
            commands=Commands(desk=desk, books=books, roles=roles, page=page, naming=naming),
            acts=Acts(desk=desk, hearing=self.hearing, books=books, pace=self._pace, page=page),
            asking=asking,
            roles=roles,
            background=self.background,
            session=session,
            naming=naming,
        )
        turns.register(PLATFORM, self.open_surface, show_every_seconds=pace.show_every_seconds)

    def open_surface(self, incoming: Incoming) -> Surface:
        """The place of a stored event's reply."""
        target = from_json(incoming.surface)
        if isinstance(target, PrivateTarget):
            return PrivateSurface(target.response_url, session=self._session, page=self._page, naming=self._naming)
        workspace = self._workspaces.of(target.team)
        if workspace is None:
            return NowhereSurface(f"no token for the workspace {target.team}")
        return SlackSurface(
            target,
            incoming.question.text,
            client=workspace.quick,
            pace=self._pace,
            page=self._page,
            naming=self._naming,
            on_stop=lambda: _stopped(self._turns, incoming.event_id),
            is_withdrawn=lambda: incoming.event_id in self.listening.withdrawn,
        )

    def to_app(self, *, signing_secret: str | None = None) -> AsyncApp:
        """Bolt with all our listeners. Slack is answered when a listener returns, so what it stores is stored."""

        # Bolt looks at the names of its arguments, and takes `self` for one of them.
        async def authorize(enterprise_id: str | None, team_id: str | None) -> AuthorizeResult | None:
            return self._workspaces.authorize(enterprise_id, team_id)

        app = AsyncApp(
            # Without a name Bolt reads the source of everything that is running to find one.
            name="footnote",
            client=self.client,
            authorize=cast("Callable[..., Awaitable[AuthorizeResult]]", authorize),
            signing_secret=signing_secret,
            process_before_response=True,
            logger=_bolt_log(),
        )
        app.event("app_mention")(self.listening.on_message)
        app.event("message")(self.listening.on_message)
        app.event("app_home_opened")(self.listening.on_home)
        app.event(OLDER_EVENT)(self.listening.on_assistant)
        app.event(re.compile(".*"))(_ignore_event)
        app.command(re.compile(".*"))(self._pressing.on_command)
        app.shortcut(ASK_ABOUT)(self._pressing.on_shortcut)
        app.view(re.compile(".*"))(self._pressing.on_view)
        app.action(re.compile(".*"))(self._pressing.on_action)
        app.shortcut(re.compile(".*"))(_ignore)
        app.options(re.compile(".*"))(_ignore)
        return app


def _bolt_log() -> logging.Logger:
    """Bolt's log without its remark that it does not use the token it finds in the environment."""
    bolt = logging.getLogger(f"{__name__}.bolt")
    if not bolt.filters:
        bolt.addFilter(lambda record: "`token` will be unused" not in record.getMessage())
    return bolt


def _stopped(turns: Turns, event_id: str) -> None:
    """A member pressed Slack's own stop button."""
    turns.stop(event_id)


async def _ignore_event() -> None:
    """An event that means nothing to us; Slack would send it again if nobody took it."""


async def _ignore(ack: AsyncAck) -> None:
    await ack()

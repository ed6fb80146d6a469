"""The app's own pages: the App Home, and the first words in the assistant pane."""

from slack_sdk.errors import SlackApiError

from bot import telling
from bot.adapters.slack.answering import Background
from bot.adapters.slack.naming import Naming
from bot.adapters.slack.place import thread_key
from bot.adapters.slack.reading_layouts import home_view
from bot.adapters.slack.roles import Roles
from bot.adapters.slack.trouble import translated
from bot.adapters.slack.workspaces import Workspace
from bot.desk import Desk
from bot.member import Member
from bot.splitting import shortened
from core.errors import LibraryError

MAX_PROMPTS = 4
MAX_PROMPT_TITLE_CHARS = 70
GREETING = "What would you like to know?"


class Home:
    """Fills the pages in the background; Slack was answered already."""

    def __init__(self, *, desk: Desk, roles: Roles, background: Background, naming: Naming) -> None:
        self._desk = desk
        self._roles = roles
        self._background = background
        self._naming = naming

    def publish(self, workspace: Workspace, team: str, user: str, channel: str) -> None:
        """Fill the App Home for one member."""
        self._background.start(self._publish(workspace, _member(team, user, channel)))

    async def _publish(self, workspace: Workspace, member: Member) -> None:
        books = await self._desk.books(member)
        view = home_view(
            self._naming.help_text,
            self._naming.text(telling.books_text(books, await self._current(member))),
            await self._desk.visits(member, is_here_only=False),
            is_leader=await self._roles.leads(workspace, member.id),
        )
        with translated():
            await workspace.client.views_publish(user_id=member.id, view=view)

    async def _current(self, member: Member) -> tuple[str, ...]:
        try:
            return await self._desk.current_books(member)
        except LibraryError:
            return ()

    def suggest(
        self, workspace: Workspace, team: str, user: str, channel: str, *, thread: str | None = None
    ) -> None:
        """Offer questions from the book where somebody is about to ask."""
        self._background.start(self._suggest(workspace, _member(team, user, channel), thread))

    async def _suggest(self, workspace: Workspace, member: Member, thread: str | None) -> None:
        questions = await self._desk.starters(member)
        if not questions:
            return
        prompts = [
            {"title": shortened(question, MAX_PROMPT_TITLE_CHARS), "message": question}
            for question in questions[:MAX_PROMPTS]
        ]
        where = {"thread_ts": thread} if thread else {}
        try:
            await workspace.client.assistant_threads_setSuggestedPrompts(
                channel_id=member.key.channel, title=GREETING, prompts=prompts, **where
            )
        except SlackApiError:
            # An app without the assistant's scope has no prompts; everything else works.
            return


def _member(team: str, user: str, channel: str) -> Member:
    return Member(user, user, thread_key(team, channel, channel))

"""Slash commands: one line of words each, answered to whoever typed it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bot import telling, wording
from bot.adapters.slack.channels import Channels
from bot.adapters.slack.forms import search_view
from bot.adapters.slack.layouts import Block, told
from bot.adapters.slack.leader_commands import Books
from bot.adapters.slack.naming import Naming
from bot.adapters.slack.place import is_private, thread_key
from bot.adapters.slack.reading_layouts import results_blocks, visit_blocks
from bot.adapters.slack.roles import Roles
from bot.adapters.slack.workspaces import Workspace
from bot.desk import Desk
from bot.member import Member
from bot.public_page import PublicPage
from bot.search_words import to_search
from core.errors import QuestionError
from core.model import SearchQuery
from core.store.feedback import ReportedQuestion

MAX_REPORT_DAYS = 365

Respond = Callable[[str, list[Block]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Typed:
    """One command as it was typed, and how to answer it privately."""

    name: str
    text: str
    member: Member
    workspace: Workspace
    trigger_id: str
    response_url: str
    respond: Respond
    naming: Naming

    async def say(self, markdown: str) -> None:
        """Answer with a text of ours."""
        named = self.naming.text(markdown)
        await self.respond(named, told(named))


def member_of(body: Mapping[str, Any], team: str) -> Member:
    """Who typed a command. Slack does not say in which thread, so the place is the channel."""
    key = thread_key(team, str(body["channel_id"]), str(body["channel_id"]))
    return Member(str(body["user_id"]), str(body.get("user_name") or body["user_id"]), key)


class Commands:
    """Does what a command says."""

    def __init__(self, *, desk: Desk, books: Books, roles: Roles, page: PublicPage, naming: Naming) -> None:
        self._desk = desk
        self._books = books
        self._roles = roles
        self._channels = Channels()
        self._page = page
        self._help = naming.help_text
        self._acts: dict[str, Callable[[Typed], Awaitable[None]]] = {
            "search": self._search,
            "book": self._book,
            "history": self._history,
            "forget": self._forget,
            "usage": self._usage,
            "report": self._report,
        }

    async def obey(self, typed: Typed) -> None:
        """Do it, and answer privately. Asking is not done here: it is stored before Slack is answered."""
        await self._acts.get(typed.name, self._show_help)(typed)

    async def _show_help(self, typed: Typed) -> None:
        await typed.say(self._help)

    async def _search(self, typed: Typed) -> None:
        await self._roles.check(typed.workspace, typed.member.id, typed.member.key.channel)
        if not typed.text:
            about = {"channel": typed.member.key.channel, "response_url": typed.response_url}
            view = search_view(await self._desk.books(typed.member), "", about)
            await typed.workspace.client.views_open(trigger_id=typed.trigger_id, view=view)
            return
        await self.show_results(typed.member, to_search(typed.text), typed.respond)

    async def show_results(self, member: Member, query: SearchQuery, respond: Respond) -> None:
        """Search, and show what was found."""
        results = self._page.results(await self._desk.search(member, query))
        await respond(telling.results_head(results), results_blocks(results))

    async def _book(self, typed: Typed) -> None:
        verb, _, rest = typed.text.partition(" ")
        is_open_to_all = verb in ("", "list", "status")
        if not is_open_to_all and not await self._roles.leads(typed.workspace, typed.member.id):
            await typed.say(wording.LEADERS_ONLY)
            return
        await self._books.obey(verb or "list", rest.strip(), typed)

    async def _history(self, typed: Typed) -> None:
        found = await self._desk.latest_history(typed.member)
        await typed.say(telling.history_text(*found) if found else wording.NO_HISTORY)

    async def _forget(self, typed: Typed) -> None:
        visits = await self._desk.visits(typed.member)
        if not visits:
            await typed.say(wording.NOTHING_TO_FORGET)
            return
        title = f"**{wording.WHICH_TO_FORGET}**"
        await typed.respond(title, [*told(title), *visit_blocks(visits)])

    async def _usage(self, typed: Typed) -> None:
        await typed.say(telling.usage_text(*await self._desk.usage(typed.member)))

    async def _report(self, typed: Typed) -> None:
        if not await self._roles.leads(typed.workspace, typed.member.id):
            await typed.say(wording.LEADERS_ONLY)
            return
        here = typed.member.key.channel

        async def is_closed(asked: ReportedQuestion) -> bool:
            if is_private(asked.channel, asked.thread):
                return True
            return asked.channel != here and not await self._channels.is_public(typed.workspace, asked.channel)

        report = await self._desk.report(typed.member, days=_days(typed.text), is_private=is_closed)
        # Of a channel the id is enough for Slack to show its name.
        markdown = telling.report_text(report, place=lambda asked: f"in channel {asked.channel}")
        await typed.respond(markdown, told(markdown)[:50])


def _days(text: str) -> int:
    if not text:
        return 7
    if not text.isdigit() or not 1 <= int(text) <= MAX_REPORT_DAYS:
        raise QuestionError(f"Say for how many days: a number from 1 to {MAX_REPORT_DAYS}.")
    return int(text)

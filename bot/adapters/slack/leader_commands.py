"""/book: listing, adding with live progress, choosing, removing."""

import asyncio
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import aiohttp
from slack_sdk.errors import SlackApiError

from bot import telling
from bot.adapters.slack.forms import book_view
from bot.adapters.slack.layouts import fallback, told
from bot.adapters.slack.trouble import translated
from bot.adapters.slack.workspaces import Workspace
from bot.desk import Desk
from bot.markup import escape_markdown, to_plain
from bot.member import Member
from core.errors import LibraryError, QuestionError
from core.store.job import Job

if TYPE_CHECKING:
    from bot.adapters.slack.commands import Typed

MAX_FILE_BYTES = 100 * 2**20
USAGE = (
    "`list` shows the books; `add` a link or nothing for a form; `use` a book for this channel, or `use all`; "
    "`status` shows what is being read; `remove` a book."
)


class Books:
    """Leaders' work with books. *poll_seconds* is how often progress is looked at."""

    def __init__(self, *, desk: Desk, session: aiohttp.ClientSession, poll_seconds: float = 2.0) -> None:
        self._desk = desk
        self._session = session
        self._poll_seconds = poll_seconds

    async def obey(self, verb: str, rest: str, typed: "Typed") -> None:
        """Do what the first word after /book says."""
        match verb:
            case "list":
                await typed.say(await self.listed(typed.member))
            case "status":
                await typed.say(telling.jobs_text(await self._desk.status(typed.member)))
            case "use" if rest:
                await typed.say(await self._use(typed.member, rest))
            case "remove" if rest:
                book = await self._desk.remove_book(typed.member, rest)
                await typed.say(f"Removed **{escape_markdown(book.title)}**.")
            case "add" if rest:
                job = await self._desk.add_link(typed.member, rest.strip("<>").partition("|")[0])
                await self.follow(job, typed.member, typed.workspace)
            case "add":
                about = {"channel": typed.member.key.channel}
                await typed.workspace.client.views_open(trigger_id=typed.trigger_id, view=book_view(about))
            case _:
                await typed.say(USAGE)

    async def listed(self, member: Member) -> str:
        """The books, with those that answer here marked."""
        books = await self._desk.books(member)
        current = await self._desk.current_books(member) if books else ()
        return telling.books_text(books, current)

    async def _use(self, member: Member, name: str) -> str:
        book = await self._desk.use_book(member, None if name.lower() == "all" else name)
        if book is None:
            return "In this channel I answer from all the books again."
        return f"In this channel I now answer from **{escape_markdown(book.title)}**."

    async def add_file(self, member: Member, file: dict[str, object], title: str, workspace: Workspace) -> Job:
        """Take in a file that was handed in with the form.

        Raises:
            LibraryError: it is too big, or no reader takes it.
        """
        content = await self._download(str(file["url_private_download"]), workspace)
        return await self._desk.add_file(member, str(file["name"]), content, title=title or None)

    async def _download(self, url: str, workspace: Workspace) -> bytes:
        # The token goes to Slack and to nobody else.
        host, home = urlsplit(url).hostname or "", urlsplit(workspace.client.base_url).hostname
        if host != home and not host.endswith(".slack.com"):
            raise LibraryError("That file is not kept by Slack. Download it and hand it in again.")
        with translated():
            async with self._session.get(url, headers={"Authorization": f"Bearer {workspace.token}"}) as answer:
                if answer.content_type == "text/html" and not url.endswith((".html", ".htm")):
                    raise LibraryError("Slack does not let me read files: the app needs the scope files:read.")
                content = await answer.content.read(MAX_FILE_BYTES + 1)
        if len(content) > MAX_FILE_BYTES:
            raise LibraryError(f"The file is bigger than {MAX_FILE_BYTES // 2**20} MB.")
        return content

    async def add_link(self, member: Member, link: str, title: str) -> Job:
        return await self._desk.add_link(member, link, title=title or None)

    async def follow(self, job: Job, member: Member, workspace: Workspace) -> None:
        """Show in the channel, or to the member alone where we may not write, how far a book has come."""
        shown = telling.job_text(job)
        ts, channel = await self._show_first(shown, member, workspace)
        while not job.status.is_over:
            await asyncio.sleep(self._poll_seconds)
            job = await self._desk.job(member, job.id)
            told_now = telling.job_text(job)
            if told_now != shown:
                shown = told_now
                with translated():
                    await workspace.client.chat_update(
                        channel=channel, ts=ts, text=fallback(to_plain(shown)), blocks=told(shown)
                    )

    async def _show_first(self, shown: str, member: Member, workspace: Workspace) -> tuple[str, str]:
        for place in (member.key.channel, member.id):
            try:
                posted = await workspace.client.chat_postMessage(
                    channel=place,
                    text=fallback(to_plain(shown)),
                    blocks=told(shown),
                    unfurl_links=False,
                    unfurl_media=False,
                )
                return str(posted["ts"]), str(posted["channel"])
            except SlackApiError:
                continue
        raise QuestionError("The book is being added; `/book status` shows how far it is.")

"""Buttons and forms: feedback, reading, sharing, forgetting, searching, asking about a message, adding a book."""

import json
from collections.abc import Mapping
from typing import Any

from slack_sdk.errors import SlackApiError

from bot import wording
from bot.adapters.slack.forms import View, ask_view, book_view, search_view, why_view
from bot.adapters.slack.hearing import Hearing
from bot.adapters.slack.layouts import context, fallback
from bot.adapters.slack.leader_commands import Books
from bot.adapters.slack.pace import Pace
from bot.adapters.slack.reading_layouts import passage_blocks, passage_view
from bot.adapters.slack.trouble import translated
from bot.adapters.slack.workspaces import Workspace
from bot.desk import Desk
from bot.markup import escape_mrkdwn
from bot.member import Member
from bot.public_page import PublicPage
from core.errors import QuestionError
from core.store.feedback import Verdict

Body = Mapping[str, Any]


class Acts:
    """What a press of a button does."""

    def __init__(self, *, desk: Desk, hearing: Hearing, books: Books, pace: Pace, page: PublicPage) -> None:
        self._desk = desk
        self._hearing = hearing
        self._books = books
        self._pace = pace
        self._page = page

    async def rate(self, member: Member, value: str, trigger_id: str, workspace: Workspace) -> str:
        """Note 👍 or 👎; for the latter ask what was wrong. What to say to the member."""
        verdict, _, nonce = value.partition(":")
        if not await self._desk.rate(member, nonce, Verdict(verdict)):
            return wording.GONE
        if verdict == Verdict.DOWN:
            with translated():
                await workspace.client.views_open(trigger_id=trigger_id, view=why_view(nonce))
            return ""
        return wording.THANKS

    async def explain(self, member: Member, nonce: str, comment: str) -> None:
        """Keep with a 👎 what was wrong."""
        await self._desk.rate(member, nonce, Verdict.DOWN, comment or None)

    async def read(self, member: Member, chunk_id: str, body: Body, workspace: Workspace) -> None:
        """Show a passage: in a new window, or in the one where a page is turned."""
        chunk = await self._desk.passage(member, chunk_id)
        if chunk is None:
            raise QuestionError(wording.PASSAGE_GONE)
        view, opened = passage_view(self._page.chunk(chunk)), body.get("view")
        with translated():
            if opened is not None and opened.get("type") == "modal":
                await workspace.client.views_update(view_id=opened["id"], view=view)
            else:
                await workspace.client.views_open(trigger_id=body["trigger_id"], view=view)

    async def share(self, member: Member, chunk_id: str, workspace: Workspace) -> None:
        """Put a passage into the channel for everybody."""
        chunk = await self._desk.passage(member, chunk_id)
        if chunk is None:
            raise QuestionError(wording.PASSAGE_GONE)
        by = wording.SHARED_BY.format(name=member.name)
        await self._pace.post(member.group.partition(":")[2], member.key.channel)
        try:
            await workspace.client.chat_postMessage(
                channel=member.key.channel,
                text=fallback(f"{by}: {chunk.text}"),
                blocks=[*passage_blocks(self._page.chunk(chunk)), context(escape_mrkdwn(by))],
                unfurl_links=False,
                unfurl_media=False,
            )
        except SlackApiError as error:
            raise QuestionError("I am not in this channel. Invite me first, then share again.") from error

    async def forget(self, member: Member) -> str:
        """Forget the member's conversation; what to say."""
        return wording.FORGOTTEN if await self._desk.forget(member) else wording.NOTHING_TO_FORGET

    async def open_search(self, member: Member, trigger_id: str, workspace: Workspace) -> None:
        view = search_view(await self._desk.books(member), "", {"channel": member.key.channel, "response_url": ""})
        with translated():
            await workspace.client.views_open(trigger_id=trigger_id, view=view)

    async def open_book(self, member: Member, trigger_id: str, workspace: Workspace) -> None:
        with translated():
            view = book_view({"channel": member.key.channel})
            await workspace.client.views_open(trigger_id=trigger_id, view=view)

    async def ask_about(self, body: Body, workspace: Workspace) -> None:
        """Open the form for a question about the message that was picked."""
        quoted = await self._hearing.about(body["message"], workspace)
        if quoted.text is None:
            raise QuestionError(wording.QUOTE_EMPTY)
        message, channel = body["message"], str(body["channel"]["id"])
        thread = str(message.get("thread_ts") or message["ts"])
        about = {"channel": channel, "thread": thread, "ts": message["ts"], "selection": str(quoted.selection)}
        with translated():
            await workspace.client.views_open(trigger_id=body["trigger_id"], view=ask_view(quoted.text, about))

    async def add_book(self, member: Member, view: View, filled: Mapping[str, str], workspace: Workspace) -> None:
        """Take in the book of a form, and follow it."""
        files = view["state"]["values"].get("file", {}).get("file", {}).get("files") or []
        if files:
            job = await self._books.add_file(member, files[0], filled.get("title", ""), workspace)
        else:
            job = await self._books.add_link(member, filled.get("link", ""), filled.get("title", ""))
        await self._books.follow(job, member, workspace)


def about_of(view: View) -> Any:
    """What a form was opened about."""
    return json.loads(view.get("private_metadata") or "null")

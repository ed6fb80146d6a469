"""Commands, buttons, menu entries and forms: Slack is answered at once, the work follows."""

import json
from collections.abc import Mapping
from typing import Any

import aiohttp
from slack_bolt.context.ack.async_ack import AsyncAck
from slack_bolt.context.async_context import AsyncBoltContext

from bot import wording
from bot.adapters.slack import forms, layouts
from bot.adapters.slack import reading_layouts as pages
from bot.adapters.slack.acts import Acts, about_of
from bot.adapters.slack.answering import Background, excuse
from bot.adapters.slack.askers import Asking
from bot.adapters.slack.commands import Commands, Typed, member_of
from bot.adapters.slack.layouts import Block, fallback, told
from bot.adapters.slack.naming import Naming
from bot.adapters.slack.place import thread_key
from bot.adapters.slack.private import tell
from bot.adapters.slack.roles import Roles
from bot.adapters.slack.trouble import translated
from bot.adapters.slack.workspaces import Workspace, Workspaces
from bot.member import Member
from bot.search_words import from_fields
from core.errors import QuestionError, ServiceError

Body = Mapping[str, Any]

FOR_ASKERS = (layouts.READ, pages.TURN_PAGE, pages.SHARE, pages.OPEN_SEARCH)
"""Buttons that lead to the book's text, which is for those who may ask."""


class Pressing:
    """Takes everything interactive."""

    def __init__(
        self,
        *,
        workspaces: Workspaces,
        commands: Commands,
        acts: Acts,
        asking: Asking,
        roles: Roles,
        background: Background,
        session: aiohttp.ClientSession,
        naming: Naming,
    ) -> None:
        self._workspaces = workspaces
        self._commands = commands
        self._acts = acts
        self._asking = asking
        self._roles = roles
        self._background = background
        self._session = session
        self._naming = naming

    # -- commands -------------------------------------------------------------------------------------------

    async def on_command(self, body: Body, ack: AsyncAck, context: AsyncBoltContext) -> None:
        """A slash command. A question is stored before Slack is answered; everything else follows after."""
        workspace = self._workspace(context)
        member = member_of(body, str(context.team_id))
        response_url = str(body["response_url"])
        name, text = self._naming.command(str(body["command"])), str(body.get("text") or "").strip()
        if name == "ask":
            await ack(await self._asked(member, text, workspace, response_url))
            return
        await ack()

        async def respond(said: str, blocks: list[Block]) -> None:
            await tell(response_url, fallback(said), blocks, session=self._session)

        trigger_id = str(body["trigger_id"])
        typed = Typed(name, text, member, workspace, trigger_id, response_url, respond, self._naming)
        self._background.start(self._commands.obey(typed), tell=typed.say)

    async def _asked(self, member: Member, text: str, workspace: Workspace, response_url: str) -> str:
        """What to say at once: nothing, or why it is not answered."""
        try:
            await self._roles.check(workspace, member.id, member.key.channel)
            await self._asking.ask(member, text, workspace=workspace, response_url=response_url)
        except (QuestionError, ServiceError) as error:
            return self._naming.text(excuse(error))
        return ""

    # -- buttons --------------------------------------------------------------------------------------------

    async def on_action(self, body: Body, ack: AsyncAck, context: AsyncBoltContext) -> None:
        """A button."""
        await ack()
        action = body["actions"][0]
        member = self._presser(body, context)

        async def say(markdown: str) -> None:
            await self._say_to(body, member, context, markdown)

        work = self._pressed(str(action["action_id"]), str(action.get("value") or ""), body, member, context)
        self._background.start(work, tell=say)

    async def _pressed(
        self, action_id: str, value: str, body: Body, member: Member, context: AsyncBoltContext
    ) -> None:
        workspace, said = self._workspace(context), ""
        name = action_id.partition(":")[0]
        if name in FOR_ASKERS:
            await self._roles.check(workspace, member.id, member.key.channel)
        match name:
            case layouts.FEEDBACK:
                said = await self._acts.rate(member, value, str(body["trigger_id"]), workspace)
            case layouts.READ | pages.TURN_PAGE:
                await self._acts.read(member, value, body, workspace)
            case pages.SHARE:
                await self._acts.share(member, value, workspace)
            case pages.FORGET_VISIT:
                channel, thread = json.loads(value)
                place = thread_key(str(context.team_id), channel, thread)
                said = await self._acts.forget(Member(member.id, member.name, place))
            case pages.OPEN_SEARCH:
                await self._acts.open_search(member, str(body["trigger_id"]), workspace)
            case pages.OPEN_BOOK:
                await self._open_book(member, body, workspace)
        if said:
            await self._say_to(body, member, context, said)

    async def _open_book(self, member: Member, body: Body, workspace: Workspace) -> None:
        if not await self._roles.leads(workspace, member.id):
            raise QuestionError(wording.LEADERS_ONLY)
        await self._acts.open_book(member, str(body["trigger_id"]), workspace)

    async def on_shortcut(self, body: Body, ack: AsyncAck, context: AsyncBoltContext) -> None:
        """ "Ask about this" in a message's menu."""
        await ack()
        if body.get("type") != "message_action":
            return
        member = self._presser(body, context)

        async def say(markdown: str) -> None:
            await self._say_to(body, member, context, markdown)

        self._background.start(self._open_ask(body, member, self._workspace(context)), tell=say)

    async def _open_ask(self, body: Body, member: Member, workspace: Workspace) -> None:
        await self._roles.check(workspace, member.id, member.key.channel)
        await self._acts.ask_about(body, workspace)

    # -- forms ----------------------------------------------------------------------------------------------

    async def on_view(self, body: Body, ack: AsyncAck, context: AsyncBoltContext) -> None:
        """A form. What is wrong in it is said in the form itself."""
        view = body["view"]
        filled, about = forms.values_of(view), about_of(view)
        member = self._filler(body, context, about)
        workspace = self._workspace(context)
        try:
            if view["callback_id"] in (forms.ASK_FORM, forms.SEARCH_FORM):
                await self._roles.check(workspace, member.id, member.key.channel)
            match view["callback_id"]:
                case forms.ASK_FORM:
                    passage = forms.passage_of(view)
                    await self._asking.ask_about(member, filled["question"], passage, about, form=view["id"])
                case forms.SEARCH_FORM:
                    self._search(member, filled, about, context)
                case forms.WHY_FORM:
                    await self._acts.explain(member, str(about), filled.get("why", ""))
                case forms.BOOK_FORM:
                    self._add_book(member, view, filled, context, workspace)
        except (QuestionError, ServiceError) as error:
            first = next(iter(filled), "question")
            await ack(response_action="errors", errors={first: self._naming.text(excuse(error))})
            return
        await ack()

    def _search(self, member: Member, filled: dict[str, str], about: Any, context: AsyncBoltContext) -> None:
        query = from_fields(filled.pop("words"), filled)
        response_url = about.get("response_url") if about else ""

        async def respond(said: str, blocks: list[Block]) -> None:
            if response_url:
                await tell(response_url, fallback(said), blocks, session=self._session)
            else:
                await self._post_to(member, context, said, blocks)

        async def say(markdown: str) -> None:
            said = self._naming.text(markdown)
            await respond(said, told(said))

        self._background.start(self._commands.show_results(member, query, respond), tell=say)

    def _add_book(
        self, member: Member, view: Body, filled: dict[str, str], context: AsyncBoltContext, workspace: Workspace
    ) -> None:
        has_file = bool(view["state"]["values"].get("file", {}).get("file", {}).get("files"))
        if not has_file and not filled.get("link"):
            raise QuestionError("Hand in a file, or give a link to a book.")

        async def say(markdown: str) -> None:
            await self._say_to({}, member, context, markdown)

        async def add() -> None:
            if not await self._roles.leads(workspace, member.id):
                raise QuestionError(wording.LEADERS_ONLY)
            await self._acts.add_book(member, dict(view), filled, workspace)

        self._background.start(add(), tell=say)

    # -- who and where --------------------------------------------------------------------------------------

    def _workspace(self, context: AsyncBoltContext) -> Workspace:
        found = self._workspaces.of(context.team_id, context.enterprise_id)
        assert found is not None, "Bolt lets nothing through that no workspace is for"
        return found

    def _presser(self, body: Body, context: AsyncBoltContext) -> Member:
        user = body["user"]
        channel = str((body.get("channel") or {}).get("id") or user["id"])
        message = body.get("message") or {}
        thread = str(message.get("thread_ts") or message.get("ts") or channel)
        name = str(user.get("name") or user.get("username") or user["id"])
        return Member(str(user["id"]), name, thread_key(str(context.team_id), channel, thread))

    def _filler(self, body: Body, context: AsyncBoltContext, about: Any) -> Member:
        place = about if isinstance(about, dict) else {}
        channel = str(place.get("channel") or body["user"]["id"])
        key = thread_key(str(context.team_id), channel, str(place.get("thread") or channel))
        user = body["user"]
        return Member(str(user["id"]), str(user.get("name") or user["id"]), key)

    async def _say_to(self, body: Body, member: Member, context: AsyncBoltContext, markdown: str) -> None:
        """Say something to whoever pressed: where they are, or directly where that is nowhere."""
        said = self._naming.text(markdown)
        response_url = body.get("response_url")
        if response_url:
            await tell(str(response_url), fallback(said), told(said), session=self._session)
        else:
            await self._post_to(member, context, said, told(said))

    async def _post_to(self, member: Member, context: AsyncBoltContext, said: str, blocks: list[Block]) -> None:
        with translated():
            await self._workspace(context).client.chat_postMessage(
                channel=member.id, text=fallback(said), blocks=blocks, unfurl_links=False, unfurl_media=False
            )

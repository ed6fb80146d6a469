"""Questions that do not come as messages: /ask and "Ask about this"."""

from typing import Any

from slack_sdk.errors import SlackApiError

from bot.adapters.slack.layouts import fallback, sections
from bot.adapters.slack.place import PLATFORM, event_id, private_key, thread_key
from bot.adapters.slack.target import PrivateTarget, ThreadTarget
from bot.adapters.slack.trouble import error_code, translated
from bot.adapters.slack.workspaces import Workspace
from bot.incoming import Incoming
from bot.markup import escape_mrkdwn
from bot.member import Member
from bot.turns import Turns
from core.model import Question, Selection

_NOT_THERE = {"not_in_channel", "channel_not_found", "is_archived", "restricted_action", "missing_scope"}


class Asking:
    """Makes turns of questions, so that they are answered once like any other."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns

    async def ask(self, member: Member, text: str, *, workspace: Workspace, response_url: str) -> None:
        """Put the question into the channel, and answer in its thread; where we may not write, privately.

        Raises:
            QuestionError: there is no question, or it is too long.
            ServiceError: Slack or the database did not do its part.
        """
        channel, team = member.key.channel, member.group.partition(":")[2]
        Question(text)
        ts = await self._post_question(member, text, workspace)
        if ts is None:
            key = private_key(team, channel, member.id)
            target: ThreadTarget | PrivateTarget = PrivateTarget(response_url)
            event = f"{PLATFORM}:{team}:command:{response_url.rsplit('/', 1)[-1]}"
        else:
            key = thread_key(team, channel, ts)
            target = ThreadTarget(team, channel, ts, member.id, since=ts)
            event = event_id(team, channel, ts)
        question = Question(text, key=key)
        await self._turns.receive(Incoming(event, member.id, member.name, question, surface=target.to_json()))

    async def _post_question(self, member: Member, text: str, workspace: Workspace) -> str | None:
        """Where the question now stands; None where we may not write."""
        shown = f"*{escape_mrkdwn(member.name)}* asks: {escape_mrkdwn(text)}"
        try:
            posted = await workspace.client.chat_postMessage(
                channel=member.key.channel,
                text=fallback(f"{member.name} asks: {text}"),
                blocks=sections(shown),
                unfurl_links=False,
                unfurl_media=False,
            )
        except SlackApiError as error:
            if error_code(error) in _NOT_THERE:
                return None
            with translated():
                raise
        return str(posted["ts"])

    async def ask_about(
        self, member: Member, text: str, passage: str, about: dict[str, Any], *, form: str
    ) -> None:
        """Answer a question about a message, in that message's thread.

        Raises:
            QuestionError: there is no question, or it is too long.
        """
        selection = Selection(about["selection"])
        question = Question(text, selected_text=passage, selection=selection, key=member.key)
        key = member.key
        team = key.group.partition(":")[2]
        target = ThreadTarget(team, key.channel, key.thread, member.id, since=str(about["ts"]))
        event = f"{PLATFORM}:{team}:form:{form}"
        await self._turns.receive(Incoming(event, member.id, member.name, question, surface=target.to_json()))

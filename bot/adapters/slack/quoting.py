"""What a question is about: a quoted block, a shared message, or the message whose thread it stands in."""

from slack_sdk.errors import SlackApiError

from bot import wording
from bot.adapters.slack.place import group_of
from bot.adapters.slack.trouble import error_code, translated
from bot.adapters.slack.words import Event, text_of
from bot.adapters.slack.workspaces import Workspace
from bot.answered import Answered
from bot.heard import Quoted
from bot.splitting import shortened
from core.model import Selection
from core.model.limits import MAX_SELECTED_CHARS

_GONE = {"thread_not_found", "message_not_found", "missing_scope", "channel_not_found", "not_in_channel"}


class Quoting:
    """Finds selected texts. Slack has no replies to single messages; a thread hangs on its first one."""

    def __init__(self, answered: Answered) -> None:
        self._answered = answered

    async def parent(self, workspace: Workspace, channel: str, thread: str) -> Quoted:
        """The first message of a thread as selected text.

        Raises:
            ServiceError: Slack cannot be asked now.
        """
        try:
            found = await workspace.client.conversations_replies(channel=channel, ts=thread, limit=1)
        except SlackApiError as error:
            if error_code(error) in _GONE:
                return Quoted(notes=(wording.QUOTE_GONE,))
            with translated():
                raise
        messages = [message for message in found["messages"] if message.get("ts") == thread]
        return await self.quote(workspace, messages[0]) if messages else Quoted(notes=(wording.QUOTE_GONE,))

    async def quote(self, workspace: Workspace, message: Event) -> Quoted:
        """A message as selected text. Of an answer of ours we take what we said before Slack's markup."""
        is_ours = message.get("user") == workspace.bot_user
        group = group_of(workspace.team)
        own = await self._answered.text(str(message.get("ts")), group=group) if is_ours else None
        text = own or text_of(message)
        if not text:
            return Quoted(notes=(wording.QUOTE_EMPTY,))
        return Quoted(shortened(text, MAX_SELECTED_CHARS), _selection(is_ours=is_ours, is_answer=own is not None))


def _selection(*, is_ours: bool, is_answer: bool) -> Selection:
    """Of what we write, only answers and shared passages of the book can be asked about."""
    if is_answer:
        return Selection.OWN_ANSWER
    return Selection.BOOK if is_ours else Selection.MESSAGE

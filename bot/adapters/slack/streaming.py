"""Shows an answer while it is written: by Slack's streams where they exist, by updates where they do not."""

import logging
import re
from time import monotonic

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.pace import Pace
from bot.adapters.slack.trouble import error_code
from bot.markup import to_slack_markdown
from bot.wording import STAGES
from core.model import Stage

log = logging.getLogger(__name__)

STREAM_SECONDS = 240.0
"""Slack ends a stream about five minutes after its start, whatever is appended; we end it before."""

_NO_STREAMS = {
    "unknown_method",
    "method_not_supported_for_channel_type",
    "not_allowed_token_type",
    "missing_scope",
}
_SENTENCE_END = re.compile(r"[.!?:][\"'”’)\]]*(?:\s*\[\d+\])*[.!?]?\s")


class Stream:
    """One streamed message. What has been appended stays; only text that will not change is appended."""

    def __init__(
        self, client: AsyncWebClient, *, channel: str, thread: str, team: str, member: str, pace: Pace
    ) -> None:
        self._client = client
        self._channel = channel
        self._thread = thread
        self._team = team
        self._member = member
        self._pace = pace
        self._shown = ""
        self._started = 0.0
        self.ts: str | None = None
        self.is_open = False
        self.is_possible = True
        """Whether Slack has streams for us at all."""

    def may_start(self, text: str) -> bool:
        """Whether there is something to begin with, and not too much has begun this minute."""
        return bool(settled_part(text)) and self._pace.may("start", self._team)

    async def start(self, text: str, *, nonce: str) -> bool:
        """Begin with *text*; False if Slack does not let us, now or at all."""
        settled = to_slack_markdown(settled_part(text))
        # The task's id stays in the message: it is how a restart finds a stream that was begun but not noted.
        task = {"type": "task_update", "id": nonce, "title": STAGES[Stage.GENERATING], "status": "in_progress"}
        try:
            begun = await self._client.chat_startStream(
                channel=self._channel,
                thread_ts=self._thread,
                recipient_team_id=self._team,
                recipient_user_id=self._member,
                chunks=[task, {"type": "markdown_text", "text": settled}],
            )
        except SlackApiError as error:
            if error_code(error) not in {*_NO_STREAMS, "ratelimited"}:
                raise
            self.is_possible = error_code(error) == "ratelimited"
            return False
        self.ts, self.is_open, self._shown = str(begun["ts"]), True, settled
        self._started = monotonic()
        return True

    async def append(self, text: str) -> bool:
        """Append what *text* has more, if Slack takes it now; False if a member pressed stop."""
        settled = to_slack_markdown(settled_part(text))
        has_more = settled.startswith(self._shown) and len(settled) > len(self._shown)
        if not has_more or not self._pace.may("append", self._team):
            return True
        if monotonic() - self._started > STREAM_SECONDS:
            await self.close()
            return True
        try:
            more = settled[len(self._shown) :]
            await self._client.chat_appendStream(channel=self._channel, ts=self.ts or "", markdown_text=more)
        except SlackApiError as error:
            self.is_open = error_code(error) == "ratelimited"
            return error_code(error) != "stopped_by_user"
        self._shown = settled
        return True

    async def close(self) -> None:
        """End the stream, so that its message can be updated; one that Slack ended already is fine."""
        if self.is_open and self.ts:
            self.is_open = False
            await end_stream(self._client, self._channel, self.ts)


async def end_stream(client: AsyncWebClient, channel: str, ts: str) -> None:
    """End whatever stream the message *ts* is in."""
    try:
        await client.chat_stopStream(channel=channel, ts=ts)
    except SlackApiError as error:
        if error_code(error) not in {"message_not_in_streaming_state", "stopped_by_user", "message_not_found"}:
            raise


def settled_part(text: str) -> str:
    """The beginning of half-written Markdown that more words will not change: whole blocks, whole sentences."""
    lines = text.split("\n")
    fences = [place for place, line in enumerate(lines) if line.lstrip().startswith("```")]
    if len(fences) % 2:
        return "\n".join(lines[: fences[-1]]).rstrip()
    head, _, last = text.rpartition("\n\n")
    # A list or a table may still change its shape, and so may anything with an open sign.
    is_plain = not re.search(r"^\s*(?:[|>#-]|[*+] |\d+[.)])|[`*_$~]", last, re.MULTILINE)
    ends = [found.end() for found in _SENTENCE_END.finditer(last)] if is_plain else []
    kept = last[: ends[-1]].rstrip() if ends else ""
    return f"{head}\n\n{kept}".strip() if head else kept

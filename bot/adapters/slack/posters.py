"""Messages of ours in one thread: posted, updated, removed, and found again after a crash."""

import json
import logging

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.layouts import Posting
from bot.adapters.slack.pace import Pace
from bot.adapters.slack.streaming import end_stream
from bot.adapters.slack.target import ThreadTarget
from bot.adapters.slack.trouble import error_code
from bot.surface import Delivery

log = logging.getLogger(__name__)

LOOK_BACK = 30
"""Messages of a thread that are looked through for a reply we may have posted."""
INTENT = "intent:"
"""Stored before a message is posted: only where one of these has no message may there be one we do not know of."""


class ThreadPoster:
    """Posts in one thread. Reading is dear on Slack, so it happens only where a post may have gone unnoticed."""

    def __init__(self, client: AsyncWebClient, target: ThreadTarget, pace: Pace) -> None:
        self._client = client
        self._target = target
        self._pace = pace
        self._void = 0
        """Intents of which we know that nothing came of them."""

    async def known(self, delivery: Delivery) -> list[str]:
        """The messages that are there, oldest first, those too of which we never learned."""
        saved = real(delivery)
        intents = len(delivery.posted) - len(saved)
        if intents - self._void <= len(saved):
            return saved
        return saved + [ts for ts in await self._find(delivery.nonce) if ts not in saved]

    async def intend(self, delivery: Delivery, place: int) -> None:
        """Note that a message is about to be posted."""
        await delivery.save(f"{INTENT}{place}")

    def nothing_came(self) -> None:
        """The last intent led to no message, and Slack said so."""
        self._void += 1

    async def post(self, posting: Posting, delivery: Delivery, place: int) -> str:
        """Post a message; its id, which is stored."""
        await self._pace.post(self._target.team, self._target.channel)
        await self.intend(delivery, place)
        try:
            posted = await self._client.chat_postMessage(
                channel=self._target.channel,
                thread_ts=self._target.thread,
                text=posting.text,
                blocks=posting.blocks,
                unfurl_links=False,
                unfurl_media=False,
            )
        except SlackApiError as error:
            if error_code(error) == "ratelimited":
                self.nothing_came()
            raise
        await delivery.save(str(posted["ts"]))
        return str(posted["ts"])

    async def update(self, ts: str, posting: Posting) -> bool:
        """Put *posting* in the place of a message; False if somebody deleted that."""
        for _ in range(2):
            try:
                await self._client.chat_update(
                    channel=self._target.channel, ts=ts, text=posting.text, blocks=posting.blocks
                )
                return True
            except SlackApiError as error:
                if error_code(error) == "message_not_found":
                    return False
                if error_code(error) != "streaming_state_conflict":
                    raise
                # An earlier process began a stream here and could not end it.
                await end_stream(self._client, self._target.channel, ts)
        return False

    async def remove(self, messages: list[str]) -> None:
        for ts in messages:
            try:
                await self._client.chat_delete(channel=self._target.channel, ts=ts)
            except SlackApiError as error:
                log.debug("left a message where it is: %s", error_code(error))

    async def _find(self, nonce: str) -> list[str]:
        try:
            thread = await self._client.conversations_replies(
                channel=self._target.channel, ts=self._target.thread, oldest=self._target.since, limit=LOOK_BACK
            )
        except SlackApiError as error:
            if error_code(error) == "ratelimited":
                raise
            log.warning("cannot look for an earlier reply: %s", error_code(error))
            return []
        found = [message for message in thread["messages"] if nonce in json.dumps(message.get("blocks", []))]
        return [str(message["ts"]) for message in found]


def real(delivery: Delivery) -> list[str]:
    """The ids of messages among what was stored."""
    return [saved for saved in delivery.posted if not saved.startswith(INTENT)]

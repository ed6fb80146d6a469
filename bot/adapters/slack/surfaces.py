"""One turn's place on Slack: a status while it waits, a stream while it is written, one reply in the end."""

import json
import logging
from collections.abc import Callable
from dataclasses import replace
from time import monotonic

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot import wording
from bot.adapters.slack.layouts import Posting, to_draft, to_postings
from bot.adapters.slack.pace import Pace
from bot.adapters.slack.place import is_direct
from bot.adapters.slack.streaming import Stream, end_stream
from bot.adapters.slack.target import ThreadTarget
from bot.adapters.slack.trouble import error_code, translated
from bot.reply import Reply
from bot.splitting import shortened
from bot.surface import Delivery, Progress, Undeliverable

log = logging.getLogger(__name__)

LOOK_BACK = 30
"""Messages of a thread that are looked through for a reply we may have posted."""
MAX_TITLE_CHARS = 60


class NowhereSurface:
    """The place of a reply that has none any more: its workspace removed the app."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    async def show(self, progress: Progress, delivery: Delivery) -> None:
        """Nobody to show it to."""

    async def deliver(self, reply: Reply, delivery: Delivery) -> None:
        raise Undeliverable(self._reason)


class SlackSurface:
    """Shows one turn in its thread."""

    def __init__(
        self,
        target: ThreadTarget,
        question: str,
        *,
        client: AsyncWebClient,
        pace: Pace,
        on_stop: Callable[[], None] = lambda: None,
        is_withdrawn: Callable[[], bool] = lambda: False,
    ) -> None:
        self._client = client
        self._pace = pace
        self._target = target
        self._team = target.team
        self._channel = target.channel
        self._thread = target.thread
        self._question = question
        self._on_stop = on_stop
        self._is_withdrawn = is_withdrawn
        self._status = ""
        self._updated = 0.0
        self._streams = True
        self._is_unsure = False
        """What we last showed may be there without our knowing: the call broke off."""
        self._stream = Stream(
            client,
            channel=self._channel,
            thread=self._thread,
            team=self._team,
            member=target.member,
            pace=pace,
        )

    # -- while it waits -------------------------------------------------------------------------------------

    async def show(self, progress: Progress, delivery: Delivery) -> None:
        """Show the newest, as far as Slack's limits allow; what does not fit is left out."""
        if progress.text:
            self._is_unsure = True
            await self._show_text(progress.text, delivery)
            self._is_unsure = False
            return
        if progress.queue_place is not None:
            await self._show_status(wording.queue_place(progress.queue_place))
        elif progress.stage is not None:
            await self._show_status(wording.STAGES[progress.stage])

    async def _show_status(self, status: str) -> None:
        is_first = not self._status
        if status == self._status or not self._pace.may("status", self._team):
            return
        self._status = status
        try:
            await self._client.assistant_threads_setStatus(
                channel_id=self._channel, thread_ts=self._thread, status=status
            )
            if is_first and is_direct(self._channel):
                title = shortened(" ".join(self._question.split()), MAX_TITLE_CHARS)
                await self._client.assistant_threads_setTitle(
                    channel_id=self._channel, thread_ts=self._thread, title=title
                )
        except SlackApiError as error:
            log.debug("no status: %s", error_code(error))

    async def _show_text(self, text: str, delivery: Delivery) -> None:
        if self._stream.is_open:
            if not await self._stream.append(text):
                self._on_stop()
        elif delivery.posted or not self._streams:
            await self._show_update(text, delivery)
        elif delivery.is_retry:
            return
        elif await self._stream.start(text, nonce=delivery.nonce):
            await delivery.save(self._stream.ts or "")
        else:
            self._streams = False

    async def _show_update(self, text: str, delivery: Delivery) -> None:
        if monotonic() - self._updated < self._pace.update_every_seconds or not self._pace.may(
            "update", self._team
        ):
            return
        self._updated = monotonic()
        draft = to_draft(text, nonce=delivery.nonce)
        if delivery.posted:
            await self._update(delivery.posted[0], draft)
        else:
            await delivery.save(await self._post(draft))

    # -- the reply ------------------------------------------------------------------------------------------

    async def deliver(self, reply: Reply, delivery: Delivery) -> None:
        """Show the whole reply, in the messages already there and as many more as it needs."""
        with translated():
            await self._stream.close()
            known = list(delivery.posted)
            if delivery.is_retry or self._is_unsure:
                known += [ts for ts in await self._found(delivery.nonce) if ts not in known]
            if self._is_withdrawn() and reply.text == wording.STOPPED:
                await self._remove(known)
                return
            reply = replace(reply, notes=(*self._target.notes, *reply.notes))
            postings = to_postings(reply, nonce=delivery.nonce)
            for place, posting in enumerate(postings):
                ts = known[place] if place < len(known) else None
                if ts is None or not await self._update(ts, posting):
                    ts = await self._post(posting)
                await delivery.save(ts)
            await self._remove(known[len(postings) :])

    async def _post(self, posting: Posting) -> str:
        await self._pace.post(self._channel)
        posted = await self._client.chat_postMessage(
            channel=self._channel,
            thread_ts=self._thread,
            text=posting.text,
            blocks=posting.blocks,
            unfurl_links=False,
            unfurl_media=False,
        )
        return str(posted["ts"])

    async def _update(self, ts: str, posting: Posting) -> bool:
        """Put *posting* in the place of a message; False if somebody deleted that."""
        for _ in range(2):
            try:
                await self._client.chat_update(
                    channel=self._channel, ts=ts, text=posting.text, blocks=posting.blocks
                )
                return True
            except SlackApiError as error:
                if error_code(error) == "message_not_found":
                    return False
                if error_code(error) != "streaming_state_conflict":
                    raise
                # An earlier process began a stream here and could not end it.
                await end_stream(self._client, self._channel, ts)
        return False

    async def _remove(self, messages: list[str]) -> None:
        for ts in messages:
            try:
                await self._client.chat_delete(channel=self._channel, ts=ts)
            except SlackApiError as error:
                log.debug("left a message where it is: %s", error_code(error))

    async def _found(self, nonce: str) -> list[str]:
        """The messages that an earlier attempt posted without our learning of it, oldest first."""
        try:
            thread = await self._client.conversations_replies(
                channel=self._channel, ts=self._thread, oldest=self._target.since, limit=LOOK_BACK
            )
        except SlackApiError as error:
            if error_code(error) == "ratelimited":
                raise
            log.warning("cannot look for an earlier reply: %s", error_code(error))
            return []
        found = [message for message in thread["messages"] if nonce in json.dumps(message.get("blocks", []))]
        return [str(message["ts"]) for message in found]

"""One turn's place on Slack: a status while it waits, a stream while it is written, one reply in the end."""

import logging
from collections.abc import Callable
from dataclasses import replace
from time import monotonic

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot import wording
from bot.adapters.slack.layouts import to_draft, to_postings
from bot.adapters.slack.naming import Naming
from bot.adapters.slack.pace import Pace
from bot.adapters.slack.place import is_direct
from bot.adapters.slack.posters import ThreadPoster, real
from bot.adapters.slack.streaming import Stream
from bot.adapters.slack.target import ThreadTarget
from bot.adapters.slack.trouble import error_code, translated
from bot.public_page import PublicPage
from bot.reply import Reply
from bot.splitting import shortened
from bot.surface import Delivery, Progress, Undeliverable

log = logging.getLogger(__name__)

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
        page: PublicPage = PublicPage(),  # noqa: B008 - frozen
        naming: Naming = Naming(),  # noqa: B008 - frozen
        on_stop: Callable[[], None] = lambda: None,
        is_withdrawn: Callable[[], bool] = lambda: False,
    ) -> None:
        self._client = client
        self._pace = pace
        self._page = page
        self._naming = naming
        self._target = target
        self._team = target.team
        self._channel = target.channel
        self._thread = target.thread
        self._question = question
        self._on_stop = on_stop
        self._is_withdrawn = is_withdrawn
        self._status = ""
        self._updated = 0.0
        self._poster = ThreadPoster(client, target, pace)
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
            await self._show_text(progress.text, delivery)
            return
        if progress.queue_place is not None:
            await self._show_status(wording.queue_place(progress.queue_place))
        elif progress.stage is not None:
            await self._show_status(wording.STAGES[progress.stage])

    async def _show_status(self, status: str) -> None:
        is_first = not self._status
        if status == self._status:
            return
        if not self._pace.may_say_status(self._team, self._channel, is_first=is_first):
            return
        try:
            await self._client.assistant_threads_setStatus(
                channel_id=self._channel, thread_ts=self._thread, status=status
            )
            self._status = status
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
        elif real(delivery) or not self._stream.is_possible:
            await self._show_update(text, delivery)
        elif not delivery.posted and self._stream.may_start(text):
            await self._start_stream(text, delivery)

    async def _start_stream(self, text: str, delivery: Delivery) -> None:
        await self._poster.intend(delivery, 0)
        if await self._stream.start(text, nonce=delivery.nonce):
            await delivery.save(self._stream.ts or "")
        else:
            self._poster.nothing_came()

    async def _show_update(self, text: str, delivery: Delivery) -> None:
        is_too_soon = monotonic() - self._updated < self._pace.update_every_seconds
        if is_too_soon or not self._pace.may("update", self._team):
            return
        self._updated = monotonic()
        draft, posted = to_draft(text, nonce=delivery.nonce), real(delivery)
        if posted:
            await self._poster.update(posted[0], draft)
        else:
            await self._poster.post(draft, delivery, 0)

    # -- the reply ------------------------------------------------------------------------------------------

    async def deliver(self, reply: Reply, delivery: Delivery) -> None:
        """Show the whole reply, in the messages already there and as many more as it needs."""
        with translated():
            await self._stream.close()
            known = await self._poster.known(delivery)
            if self._is_withdrawn() and reply.text == wording.STOPPED:
                await self._poster.remove(known)
                return
            reply = replace(reply, notes=(*self._target.notes, *reply.notes))
            postings = to_postings(self._page.reply(self._naming.reply(reply)), nonce=delivery.nonce)
            for place, posting in enumerate(postings):
                if place < len(known) and await self._poster.update(known[place], posting):
                    await delivery.save(known[place])
                else:
                    await self._poster.post(posting, delivery, place)
            await self._poster.remove(known[len(postings) :])

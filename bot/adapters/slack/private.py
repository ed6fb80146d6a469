"""Replies that only one member sees, by the address that came with their command."""

from collections.abc import Sequence

import aiohttp
from slack_sdk.webhook.async_client import AsyncWebhookClient

from bot.adapters.slack.layouts import Block, to_private
from bot.adapters.slack.naming import Naming
from bot.adapters.slack.trouble import translated
from bot.public_page import PublicPage
from bot.reply import Reply
from bot.surface import Delivery, Progress, Undeliverable
from core.errors import ServiceDown


class PrivateSurface:
    """Shows a reply where the bot itself may not write. Slack takes five messages in thirty minutes for it."""

    def __init__(
        self, response_url: str, *, session: aiohttp.ClientSession, page: PublicPage, naming: Naming
    ) -> None:
        self._naming = naming
        self._response_url = response_url
        self._page = page
        self._session = session

    async def show(self, progress: Progress, delivery: Delivery) -> None:
        """Nothing: each message counts, and the member knows that the command was taken."""

    async def deliver(self, reply: Reply, delivery: Delivery) -> None:
        postings = to_private(self._page.reply(self._naming.reply(reply)), nonce=delivery.nonce)
        for place, posting in enumerate(postings):
            if place < len(delivery.posted):
                continue
            await tell(self._response_url, posting.text, posting.blocks, session=self._session)
            await delivery.save(f"private:{place}")


async def tell(response_url: str, text: str, blocks: Sequence[Block], *, session: aiohttp.ClientSession) -> None:
    """Show something to the member who used a command or a button, and to nobody else.

    Raises:
        Undeliverable: the address has been used up.
        ServiceError: Slack did not take it now.
    """
    webhook = AsyncWebhookClient(response_url, session=session)
    with translated():
        answer = await webhook.send(
            text=text, blocks=list(blocks), response_type="ephemeral", replace_original=False, unfurl_links=False
        )
    if answer.status_code == 404:
        raise Undeliverable("the response_url is used up")
    if answer.status_code >= 400:
        raise ServiceDown("slack", f"response_url answered {answer.status_code}")

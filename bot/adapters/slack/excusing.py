"""A message that could not be stored: whoever wrote it is told so, once, however often Slack delivers it."""

import logging
import secrets
from collections import OrderedDict

from bot import wording
from bot.adapters.slack.answering import Background
from bot.adapters.slack.layouts import fallback, told
from bot.adapters.slack.words import Event
from bot.adapters.slack.workspaces import Workspace
from core.errors import ServiceError
from core.store.trouble import DAMAGED, SERVICE

log = logging.getLogger(__name__)

MAX_EXCUSED = 1000


class Excusing:
    """Tells members. The message itself is not acknowledged, so Slack delivers it again, or we look for it."""

    def __init__(self, background: Background) -> None:
        self._background = background
        self._excused: OrderedDict[tuple[str, str], None] = OrderedDict()

    def excuse(self, event: Event, workspace: Workspace, error: ServiceError) -> None:
        """Begin to tell that *event* has to wait. Where Slack itself is the trouble, that would not arrive."""
        message = str(event["channel"]), str(event["ts"])
        if error.service != SERVICE or message in self._excused:
            return
        self._excused[message] = None
        if len(self._excused) > MAX_EXCUSED:
            self._excused.popitem(last=False)
        reference = secrets.token_hex(3)
        log.error("a message could not be stored: %s", error, extra={"reference": reference})
        heals = error.details.get("problem") != DAMAGED
        text = wording.ANSWERED_LATER if heals else wording.for_error(error, reference=reference)
        self._background.start(_post(text.format(reference=reference), event, workspace))


async def _post(text: str, event: Event, workspace: Workspace) -> None:
    await workspace.client.chat_postMessage(
        channel=str(event["channel"]),
        thread_ts=str(event.get("thread_ts") or event["ts"]),
        text=fallback(text),
        blocks=told(text),
        unfurl_links=False,
        unfurl_media=False,
    )

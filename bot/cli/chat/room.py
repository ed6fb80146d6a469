"""The channel at work: each line typed becomes an answer, a search, or a look at what there is."""

import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping

from bot import wording
from bot.cli.chat import looking, moving, talking
from bot.cli.chat.lines import Line, to_line
from bot.cli.chat.seat import Seat
from core.errors import FootnoteError, UnknownBook

log = logging.getLogger(__name__)

DOES: Mapping[str, Callable[[Seat, Line], Awaitable[None]]] = {
    "": talking.ask,
    "/new": talking.new,
    "/reply": talking.reply,
    "/threads": moving.threads,
    "/open": moving.open_thread,
    "/history": moving.history,
    "/forget": moving.forget,
    "/search": looking.search,
    "/sources": looking.sources,
    "/books": looking.books,
    "/use": looking.use,
    "/help": looking.show_help,
}
LEAVING = {"/quit", "/exit"}


async def hear(seat: Seat, typed: str) -> bool:
    """Do what was typed; False when the person wants to leave. Whatever fails is told in a sentence."""
    line = to_line(typed)
    if line.command in LEAVING:
        return False
    if not line.command and not line.rest:
        return True
    if line.command not in DOES:
        seat.screen.say(f"There is no {line.command}. /help lists what there is.", style="yellow")
        return True
    try:
        await DOES[line.command](seat, line)
    except UnknownBook as error:
        seat.screen.say(f"{error.message} /books lists what there is.", style="red")
    except FootnoteError as error:
        reference = secrets.token_hex(3)
        log.info("a line could not be answered", extra={"reference": reference}, exc_info=True)
        seat.screen.say(wording.for_error(error, reference=reference), style="red")
    return True

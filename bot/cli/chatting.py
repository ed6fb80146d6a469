"""`footnote chat`: a study-group channel in the terminal."""

from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.doing import do
from bot.cli.options import Books
from bot.cli.printer import Printer
from core.model import LOCAL_GROUP
from core.settings import Settings

if TYPE_CHECKING:
    from core.wiring import Core


def chat(
    book: Books = None,
    is_plain: Annotated[
        bool, typer.Option("--plain", help="Plain lines only: nothing moves, for screen readers.")
    ] = False,
) -> None:
    """Talk with your books in this terminal.

    Threads, replies to a message, search and sources work as in a channel; /help lists what can be typed.

    \b
    Examples:
      footnote chat
      footnote chat --plain --book robots
      echo "What is a topic?" | footnote chat
    """
    printer = Printer(is_plain=is_plain)

    async def work(settings: Settings) -> None:
        from bot.cli.first_book import ensure_book
        from core.wiring import open_core

        async with open_core(settings) as core:
            await ensure_book(core, printer)
            await _talk(core, printer, tuple(book or ()))

    do(work, printer)


async def _talk(core: "Core", printer: Printer, books: tuple[str, ...]) -> None:
    from bot.cli.chat.lines import read_lines
    from bot.cli.chat.room import hear
    from bot.cli.chat.screen import Screen
    from bot.cli.chat.seat import Seat

    seat = Seat(core, Screen(printer), books)
    titles = ", ".join(each.title for each in await core.library.books(group=LOCAL_GROUP))
    seat.screen.say(f"Ask about {titles or 'your books'}. /help lists what else there is.", style="dim")
    async for typed in read_lines(printer):
        if not await hear(seat, typed):
            return

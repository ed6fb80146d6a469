"""`footnote run`: serves the page and every platform that has a token."""

import typer

from bot.cli.doing import FAILED, INTERRUPTED, read_settings
from bot.cli.printer import Printer
from core.errors import FootnoteError


def run() -> None:
    """Start the page, Discord and Slack.

    The page opens in your browser; Discord and Slack are served where their tokens are set.

    \b
    Examples:
      footnote run
      FOOTNOTE_PORT=9000 FOOTNOTE_OPEN_BROWSER=0 footnote run
    """
    import asyncio

    printer = Printer()
    try:
        settings = read_settings()
        from bot.serving import serve

        asyncio.run(serve(settings))
    except FootnoteError as error:
        printer.note(error.message, style="red")
        raise typer.Exit(FAILED) from None
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None

"""`footnote run`: serves the page and every platform that has a token."""

import sys

import typer

from bot.cli.doing import INTERRUPTED, code_for, read_settings
from bot.cli.neighbour import announce, withdraw
from bot.cli.printer import Printer
from core.errors import FootnoteError
from core.settings import Settings


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
        asyncio.run(_serve(settings, printer))
    except* FootnoteError as group:
        errors = _flat(group)
        for error in errors:
            printer.note(error.message, style="red")
        raise typer.Exit(max(map(code_for, errors))) from None
    except* KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None


async def _serve(settings: Settings, printer: Printer) -> None:
    from bot.cli.first_book import ensure_book
    from bot.serving import serve

    try:
        await serve(
            settings,
            prepare=lambda core: ensure_book(core, printer),
            on_ready=lambda: _welcome(settings, printer),
        )
    finally:
        withdraw(settings)
    printer.note("Stopped. What was not answered yet is taken up at the next start.")


def _welcome(settings: Settings, printer: Printer) -> None:
    """Say where everything is, and open the page for whoever has no platform yet."""
    announce(settings)
    host = "localhost" if settings.host in {"127.0.0.1", "::1", "0.0.0.0"} else settings.host  # noqa: S104 - compared only
    address = f"http://{host}:{settings.port}"
    printer.note(f"Your study-group channel: {address}", style="bold")
    has_platform = settings.discord_token or settings.slack_bot_token
    if not has_platform:
        printer.note(
            "To bring it to Discord or Slack, put a token into .env; docs/discord.md and docs/slack.md show how."
        )
    printer.note("Press Ctrl-C to stop.")
    if settings.opens_browser and not has_platform and sys.stderr.isatty():
        import webbrowser

        webbrowser.open(address)


def _flat(group: BaseExceptionGroup[FootnoteError]) -> list[FootnoteError]:
    return [
        leaf
        for error in group.exceptions
        for leaf in (_flat(error) if isinstance(error, BaseExceptionGroup) else [error])
    ]

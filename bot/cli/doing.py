"""Runs a command's work and turns what went wrong into a sentence and an exit code."""

import asyncio
import logging
import os
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path

import typer

from bot.cli.printer import Printer
from bot.logs import redacted, set_up_logs
from bot.markup.neutral import clean
from core.errors import FootnoteError, QuestionError, SettingsError
from core.settings import Settings

FAILED, USED_WRONGLY, INTERRUPTED = 1, 2, 130
MISCONFIGURED = 78
"""Only the operator can help, so that starting again is of no use: EX_CONFIG of sysexits.h."""

log = logging.getLogger(__name__)


def read_settings() -> Settings:
    """What the operator chose, from the environment and .env in this folder.

    Raises:
        SettingsError: every problem found, one a line.
    """
    return Settings.from_env(os.environ, env_file=Path(".env"))


def do(work: Callable[[Settings], Coroutine[None, None, int | None]], printer: Printer) -> None:
    """Do *work* with the settings, and leave with its exit code (0 if it gives none)."""
    settings: Settings | None = None
    try:
        settings = read_settings()
        # Beside a command only warnings matter, unless the operator asks for more.
        level = "warning" if settings.log_level == "info" else settings.log_level
        set_up_logs(level, is_json=False, secrets=settings.secrets)
        code = asyncio.run(work(settings))
    except FootnoteError as error:
        _tell(error, printer, settings)
        raise typer.Exit(code_for(error)) from None
    except KeyboardInterrupt:
        printer.note("Stopped.")
        raise typer.Exit(INTERRUPTED) from None
    except OSError as error:
        _tell(FootnoteError(str(error)), printer, settings)
        raise typer.Exit(FAILED) from None
    raise typer.Exit(code or 0)


def code_for(error: FootnoteError) -> int:
    """The code to leave with after *error*."""
    if isinstance(error, SettingsError):
        return MISCONFIGURED
    return USED_WRONGLY if isinstance(error, QuestionError) else FAILED


def _tell(error: FootnoteError, printer: Printer, settings: Settings | None) -> None:
    message = redacted(error.message, settings.secrets if settings else ())
    if printer.is_json:
        printer.document(
            {
                "error": error.code,
                "message": message,
                "details": error.details,
                "retry_after": error.retry_after,
            }
        )
    else:
        printer.note(message, style="red")


def be_sure(question: str, *, is_sure: bool, printer: Printer) -> None:
    """Go on only if the operator wants what cannot be undone; a script has to say so beforehand.

    Raises:
        QuestionError: it was not said, and nobody can be asked.
    """
    if is_sure:
        return
    if printer.is_json:
        raise QuestionError("This cannot be undone, and with --json nobody is asked: add --yes.")
    typer.confirm(clean(question), abort=True)


def read_text(given: str) -> str:
    """What was given, or standard input for "-"."""
    return sys.stdin.read() if given == "-" else given

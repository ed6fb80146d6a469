"""All commands put together."""

import io
import sys
from typing import Annotated

import typer

from bot.cli import (
    asking,
    books,
    chatting,
    copies,
    evaluating,
    examining,
    ingesting,
    jobs,
    reindexing,
    running,
    searching,
    sessions,
)

EPILOG = """\
\b
Examples:
  footnote run
  footnote ingest sample_book --book robots
  footnote ask "How do nodes talk to each other?"
  footnote search "quality of service" --book robots --json

Exit codes: 0 done (also when the book does not cover a question), 1 failed, 2 used wrongly,
78 a setting has to be changed, 130 interrupted.
With --json a command prints one JSON document on standard output and nothing else; an error is one too.
"""


def make_app() -> typer.Typer:
    """The whole command, ready to be called."""
    app = typer.Typer(
        name="footnote",
        help="Answers a study group's questions from its books, with footnotes.",
        epilog=EPILOG,
        no_args_is_help=True,
        add_completion=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    app.command("run")(running.run)
    app.command("chat")(chatting.chat)
    app.command("ask")(asking.ask)
    app.command("search")(searching.search)
    app.command("ingest")(ingesting.ingest)
    app.command("reindex")(reindexing.reindex)
    app.add_typer(books.make_app(), name="books")
    app.add_typer(sessions.make_app(), name="sessions")
    app.add_typer(jobs.make_app(), name="jobs")
    app.command("backup")(copies.backup)
    app.command("restore")(copies.restore)
    app.command("doctor")(examining.doctor)
    app.command("eval")(evaluating.evaluate)
    return app


def main() -> None:
    """What the installed `footnote` command runs."""
    for stream in (sys.stdout, sys.stderr):
        # A pipe on Windows would otherwise not take every letter of a book.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    make_app()()


def _version(is_asked: bool) -> None:
    if is_asked:
        from importlib.metadata import version

        typer.echo(f"footnote {version('footnote')}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Answers a study group's questions from its books, with footnotes."""

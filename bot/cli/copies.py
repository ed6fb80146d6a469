"""`footnote backup` and `footnote restore`: everything the bot knows, in one file."""

from pathlib import Path
from typing import Annotated

import typer

from bot.cli.doing import do
from bot.cli.options import Json
from bot.cli.printer import Printer
from core.settings import Settings


def backup(
    target: Annotated[Path, typer.Argument(metavar="FILE", help="The new file; it must not exist yet.")],
    is_json: Json = False,
) -> None:
    """Copy everything into one file.

    Books, conversations and jobs; also while the bot runs.

    \b
    Example:
      footnote backup backups/monday.db
    """
    printer = Printer(is_json=is_json)

    async def work(settings: Settings) -> None:
        import asyncio

        from core.store.backup import backup as copy

        with printer.busy("Copying …"):
            await asyncio.to_thread(copy, settings.data_dir, target)
        size = target.stat().st_size
        if printer.is_json:
            printer.document({"file": str(target), "bytes": size})
        else:
            printer.line(f"Saved {size / 2**20:.1f} MB to {target}.")

    do(work, printer)


def restore(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `footnote backup` made.")],
    is_json: Json = False,
) -> None:
    """Bring a backup back.

    The bot must not run meanwhile. What is there now is put aside, not deleted.

    \b
    Example:
      footnote restore backups/monday.db && footnote reindex
    """
    printer = Printer(is_json=is_json)

    async def work(settings: Settings) -> None:
        import asyncio

        from core.store.backup import restore as bring_back

        aside = await asyncio.to_thread(bring_back, settings.data_dir, source)
        if printer.is_json:
            printer.document({"restored": str(source), "put_aside": str(aside) if aside else None})
            return
        printer.line(f"Restored {source}.")
        if aside:
            printer.line(f"What was there before is in {aside}.")
        printer.note("Now run: footnote reindex   (it makes the search index fit again)")

    do(work, printer)

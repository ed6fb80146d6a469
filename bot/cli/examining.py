"""`footnote doctor`: looks at everything the bot needs and says what to do."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import typer

from bot.cli.doctor.check import Check, State
from bot.cli.doing import FAILED, read_settings
from bot.cli.options import Json
from bot.cli.printer import Printer
from core.errors import SettingsError
from core.settings import Settings

SIGNS = {State.OK: ("ok", "green"), State.WARNING: ("look", "yellow"), State.BROKEN: ("BROKEN", "bold red")}


def doctor(is_json: Json = False) -> None:
    """Check everything the bot needs.

    Python, packages, disk, data folder, database, index, models, keys, tokens, ports. Leaves with 1 if something
    is broken. No key or token is ever shown.

    \b
    Examples:
      footnote doctor
      footnote doctor --json
    """
    printer = Printer(is_json=is_json)
    checks = []
    with printer.busy("Looking …") as tell:
        for check in _all_checks():
            checks.append(check)
            tell(f"Looked at {check.name} …")
    is_broken = any(check.state is State.BROKEN for check in checks)
    if printer.is_json:
        printer.document({"ok": not is_broken, "checks": [check.to_dict() for check in checks]})
    else:
        _print(checks, printer)
    raise typer.Exit(FAILED if is_broken else 0)


def _all_checks() -> Iterator[Check]:
    from bot.cli.doctor import machine

    yield machine.check_python()
    yield machine.check_packages()
    yield machine.check_env_file(Path(".env"))
    try:
        settings = read_settings()
    except SettingsError as error:
        for problem in error.message.splitlines():
            yield Check.broken("settings", problem, "Correct it in .env or in the environment.")
        return
    known = sum(name in os.environ for name in _variables())
    yield Check.ok("settings", f"all can be used ({known} set in the environment)")
    yield from _checks_with(settings)


def _checks_with(settings: Settings) -> Iterator[Check]:
    from bot.cli.doctor import keys, library, machine

    folder = machine.check_folder(settings)
    yield folder
    yield machine.check_disk(settings)
    yield from keys.check_keys(settings)
    yield from library.check_weights(settings)
    if folder.state is State.BROKEN:
        return
    pid = machine.running_bot(settings)
    yield machine.check_bot(pid)
    yield from machine.check_ports(settings, has_bot=pid is not None)
    database = asyncio.run(library.check_database(settings))
    yield database
    if pid is not None:
        yield Check.ok("index", "in use by the bot that runs; not looked at")
    elif database.state is not State.BROKEN:
        yield asyncio.run(library.check_index(settings))


def _variables() -> list[str]:
    from core.settings_docs import described_settings

    return [variable for variable, _, _ in described_settings()]


def _print(checks: list[Check], printer: Printer) -> None:
    for check in checks:
        sign, colour = SIGNS[check.state]
        printer.line(f"{sign:<7}{check.name}: {check.found}", style="" if check.state is State.OK else colour)
        if check.advice:
            printer.line(f"       → {check.advice}")
    broken = sum(check.state is State.BROKEN for check in checks)
    printer.line()
    if broken:
        printer.line(f"{broken} broken.", style="bold red")
    else:
        printer.line("Everything works.", style="green")

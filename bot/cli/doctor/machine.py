"""The machine: Python, packages, disk, the data folder, the ports."""

import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from bot.cli.doctor.check import Check
from core.errors import DataInUse
from core.settings import Settings
from core.store.datalock import PRIVATE, lock_data

OLDEST_PYTHON = (3, 11)
PACKAGES = ("footnote", "discord.py", "slack-bolt", "qdrant-edge-py", "qdrant-client", "openai", "onnxruntime")
LITTLE_BYTES, NO_BYTES = 1_000_000_000, 100_000_000


def check_python() -> Check:
    found = sys.version.split()[0]
    if sys.version_info < OLDEST_PYTHON:
        return Check.broken("python", found, "Install Python 3.11 or newer and run `make run` again.")
    return Check.ok("python", found)


def check_packages() -> Check:
    found, missing = [], []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        return Check.broken("packages", f"missing: {', '.join(missing)}", "Run `make run`, which installs them.")
    return Check.ok("packages", ", ".join(found))


def check_folder(settings: Settings) -> Check:
    """Whether the data folder can be made and written to."""
    folder = settings.data_dir
    try:
        folder.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"x")
    except OSError as error:
        reason = f"{folder.absolute()}: {error.strerror or error}"
        return Check.broken(
            "data folder", reason, "Give the bot's user the right to write there, or set FOOTNOTE_DATA_DIR."
        )
    return Check.ok("data folder", str(folder.absolute()))


def check_disk(settings: Settings) -> Check:
    folder = next(
        each for each in (settings.data_dir.absolute(), *settings.data_dir.absolute().parents) if each.exists()
    )
    free = shutil.disk_usage(folder).free
    found = f"{free / 1e9:.1f} GB free"
    if free < NO_BYTES:
        return Check.broken("disk", found, "Free some space: nothing more can be stored.")
    if free < LITTLE_BYTES:
        return Check.warning("disk", found, "Free some space before you add books.")
    return Check.ok("disk", found)


def running_bot(settings: Settings) -> int | None:
    """The process that works in the data folder now, or None; 0 where it does not say its number."""
    try:
        with lock_data(settings.data_dir):
            return None
    except DataInUse as error:
        return int(str(error.details.get("pid", 0)))
    except OSError:
        return None


def check_ports(settings: Settings, *, has_bot: bool) -> Iterator[Check]:
    """Whether the page can be served and Slack's calls taken; a bot that already does so is no reason to worry."""
    yield _check_port("port", settings.host, settings.port, "FOOTNOTE_PORT", has_bot=has_bot)
    if settings.is_called_by_slack:
        yield _check_port(
            "slack port", settings.host, settings.slack_http_port, "SLACK_HTTP_PORT", has_bot=has_bot
        )


def _check_port(name: str, host: str, port: int, variable: str, *, has_bot: bool) -> Check:
    address = f"{host}:{port}"
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        if os.name == "posix":
            # As the server itself does: a connection that was just closed is no hindrance.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            if has_bot:
                return Check.ok(name, f"{address} is served by the bot that runs")
            advice = f"Stop the program that uses it, or set {variable} to another number."
            return Check.broken(name, f"{address}: {error.strerror or error}", advice)
    return Check.ok(name, f"{address} is free")


def check_bot(pid: int | None) -> Check:
    return Check.ok("bot", "not running" if pid is None else f"running (process {pid})")


def check_env_file(path: Path) -> Check:
    """Whether others on this machine can read the file with the keys."""
    if not path.is_file():
        return Check.ok(".env", "none; defaults and the environment are used")
    is_open = os.name == "posix" and path.stat().st_mode & 0o077
    if is_open:
        return Check.warning(".env", "other users of this machine can read it", f"Run: chmod 600 {path}")
    return Check.ok(".env", "found")

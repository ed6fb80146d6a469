"""The command as a person types it, in a folder and an environment of its own."""

import asyncio
import json
import logging
import os
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from bot.cli.app import make_app
from core.ingestion.request import IngestRequest
from core.settings_docs import described_settings
from core.wiring import open_core
from tests.bot.cli.tiny import quick, write_pages


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on standard output."""
        return json.loads(self.out)


Footnote = Callable[..., Outcome]


@pytest.fixture(autouse=True)
def _ordinary_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the tests themselves run in, a dumb terminal for instance, is not what they are about."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.fixture(scope="session")
def tiny_book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pages(tmp_path_factory.mktemp("book"))


@pytest.fixture(scope="session")
def tiny_library(tiny_book: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the book in it, made once; tests work on a copy."""
    folder = tmp_path_factory.mktemp("library") / "data"

    async def ingest() -> None:
        async with open_core(quick(folder)) as core:
            await core.ingestion.ingest(IngestRequest(str(tiny_book), "tiny", "A tiny book"))

    asyncio.run(ingest())
    return folder


@pytest.fixture
def taken_port() -> Iterator[int]:
    """A port on which another program listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield int(taken.getsockname()[1])


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def footnote(tmp_path: Path, data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Footnote]:
    """Runs the command in an empty folder, with no setting but the data folder."""
    monkeypatch.chdir(tmp_path)
    # A command sets up the log for its own process; ours goes on.
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level

    def run(*words: str, stdin: str | None = None, **environ: str) -> Outcome:
        cleared = {name: None for name, _, _ in described_settings() if name in os.environ}
        env = {**cleared, "FOOTNOTE_DATA_DIR": str(data_dir), **environ}
        result = CliRunner().invoke(make_app(), list(words), input=stdin, env=env, catch_exceptions=False)
        return Outcome(result.exit_code, result.stdout, result.stderr)

    yield run
    root.handlers[:], root.level = handlers, level

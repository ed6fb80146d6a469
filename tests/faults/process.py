"""The real command as a process of its own: `footnote run` and whatever else a person types."""

import asyncio
import os
import shutil
import signal
import socket
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from core.ingestion.request import IngestRequest
from core.settings_docs import described_settings
from core.wiring import open_core
from tests.bot.cli.tiny import QUICK, quick, write_pages

ROOT = Path(__file__).parents[2]
WAIT = 60.0
"""Seconds after which a process that should have spoken has failed; the machine may be busy."""

READY = "Your study-group channel"
"""What it says when it serves."""


async def make_library(folder: Path) -> Path:
    """A data folder with a small book in it."""
    pages = folder / "pages"
    pages.mkdir(parents=True)
    data = folder / "data"
    async with open_core(quick(data)) as core:
        await core.ingestion.ingest(IngestRequest(str(write_pages(pages)), "tiny", "A tiny book"))
    return data


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Footnote:
    """A folder to run the command in, with an environment of its own. *written* is all it ever wrote."""

    folder: Path
    settings: Mapping[str, str]
    port: int = field(default_factory=free_port)
    written: list[str] = field(default_factory=list)

    @classmethod
    def beside(cls, library: Path, folder: Path, **settings: str) -> "Footnote":
        """Works on a copy of *library*."""
        shutil.copytree(library, folder / "data")
        return cls(folder, {**QUICK, **settings})

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def _environ(self) -> dict[str, str]:
        ours = {name for name, _, _ in described_settings()}
        kept = {name: value for name, value in os.environ.items() if name not in ours}
        own = {"FOOTNOTE_DATA_DIR": str(self.data), "FOOTNOTE_PORT": str(self.port), "PYTHONPATH": str(ROOT)}
        return {**kept, **own, "FOOTNOTE_OPEN_BROWSER": "0", **self.settings}

    async def start(self, *words: str) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            *words,
            cwd=self.folder,
            env=self._environ(),
            stdout=asyncio.subprocess.DEVNULL if words == ("run",) else pipe,
            stderr=pipe,
            limit=2**24,
        )

    async def do(self, *words: str) -> tuple[int, str, str]:
        """Run a command to its end: its code, what it printed and what it said beside that."""
        process = await self.start(*words)
        try:
            out, err = await asyncio.wait_for(process.communicate(), WAIT)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        shown, said = (out or b"").decode(), err.decode()
        self.written += [shown, said]
        return process.returncode or 0, shown, said

    @asynccontextmanager
    async def running(self, *, until: str = READY) -> AsyncIterator["Running"]:
        """`footnote run`, when it has said *until*: that it serves; killed at the end if it still lives."""
        process = await self.start("run")
        assert process.stderr is not None
        running = Running(process, asyncio.create_task(self._listen(process.stderr)))
        try:
            await asyncio.wait_for(self.until_said(until, running), WAIT)
            yield running
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()
            await running.listening

    async def _listen(self, stream: asyncio.StreamReader) -> None:
        try:
            async for line in stream:
                self.written.append(line.decode())
                self._spoke.set()
        finally:
            self._spoke.set()

    async def until_said(self, words: str, running: "Running") -> None:
        """Wait until the process has said so."""
        while not any(words in line for line in self.written):
            if running.process.returncode is not None or running.listening.done():
                raise AssertionError("it ended: " + "".join(self.written)[-3000:])
            self._spoke.clear()
            await self._spoke.wait()

    def __post_init__(self) -> None:
        self._spoke = asyncio.Event()


@dataclass(frozen=True, slots=True)
class Running:
    """A process that serves."""

    process: asyncio.subprocess.Process
    listening: "asyncio.Task[None]"

    async def stop(self, *, seconds: float = WAIT) -> tuple[int, float]:
        """SIGTERM, as a host stops a service: the code it ended with, and how long that took."""
        begun = asyncio.get_running_loop().time()
        self.process.send_signal(signal.SIGTERM)
        code = await asyncio.wait_for(self.process.wait(), seconds)
        return code, asyncio.get_running_loop().time() - begun

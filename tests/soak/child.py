"""A bot process that is started, killed without warning, and started again."""

import asyncio
import sys
from pathlib import Path


class Child:
    """One bot process at a time. Only processes started here are ever ended."""

    def __init__(self, arguments: list[str], *, log: Path) -> None:
        self._arguments = arguments
        self._log = log
        self._process: asyncio.subprocess.Process | None = None
        self.starts = 0
        self.kills = 0

    async def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", *self._arguments, stdout=log, stderr=log
            )
        self.starts += 1

    async def kill(self) -> None:
        """SIGKILL: no handler runs, nothing is flushed."""
        assert self._process is not None
        self._process.kill()
        await self._process.wait()
        self.kills += 1

    @property
    def has_ended(self) -> bool:
        return self._process is not None and self._process.returncode is not None

    async def close(self) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.terminate()
            await self._process.wait()

"""Our own programs that run beside us: started with the same modules, spoken to over their pipes."""

import asyncio
import os
import pickle
import sys
from asyncio.subprocess import PIPE, Process
from typing import Any

from core.pipes import LENGTH_BYTES

PIPE_BYTES = 1 << 20


async def start_program(module: str, *args: str, stderr: int | None = None) -> Process:
    """Start *module* as a program. It ends when we do: then what it reads from us ends."""
    # The same modules as here, wherever they were found; the parent's own program is not imported again.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        module,
        *args,
        stdin=PIPE,
        stdout=PIPE,
        stderr=stderr,
        env=environment,
        limit=PIPE_BYTES,
    )


async def receive(pipe: asyncio.StreamReader) -> Any:
    """The next value from a program of ours.

    Raises:
        asyncio.IncompleteReadError, ConnectionError: it has ended.
    """
    length = await pipe.readexactly(LENGTH_BYTES)
    return pickle.loads(await pipe.readexactly(int.from_bytes(length, "big")))  # noqa: S301 - our own program made it

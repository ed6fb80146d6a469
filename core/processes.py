"""Our own programs that run beside us: started with the same modules, spoken to over their pipes.

What is said either way is pickled, each frame after its length.
"""

import asyncio
import os
import pickle
import sys
from asyncio.subprocess import PIPE, Process
from typing import Any, BinaryIO

LENGTH_BYTES = 8
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


def to_frame(value: object) -> bytes:
    body = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


async def receive(pipe: asyncio.StreamReader) -> Any:
    """The next value from a program of ours.

    Raises:
        asyncio.IncompleteReadError, ConnectionError: it has ended.
    """
    length = await pipe.readexactly(LENGTH_BYTES)
    return pickle.loads(await pipe.readexactly(int.from_bytes(length, "big")))  # noqa: S301 - our own program made it


def own_output() -> BinaryIO:
    """A program's standard output for itself; what libraries print there goes to the error stream instead."""
    ours = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(ours, "wb")


def read_value(pipe: BinaryIO) -> Any:
    """The next value from the side that started us.

    Raises:
        EOFError: that side is gone.
    """
    length = pipe.read(LENGTH_BYTES)
    if len(length) < LENGTH_BYTES:
        raise EOFError
    return pickle.loads(pipe.read(int.from_bytes(length, "big")))  # noqa: S301 - our own process is on the other side


def write_value(pipe: BinaryIO, value: object) -> None:
    pipe.write(to_frame(value))
    pipe.flush()

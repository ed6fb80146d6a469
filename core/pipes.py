"""What is said between us and our own programs: pickled, each value after its length.

Without asyncio, which the programs themselves do not need and would take time to import.
"""

import os
import pickle
from typing import Any, BinaryIO

LENGTH_BYTES = 8


def to_frame(value: object) -> bytes:
    body = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


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

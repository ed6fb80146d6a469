"""Keeps a second process out of a data folder."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from core.errors import DataInUse

PRIVATE = 0o700
"""A data folder that we make is for its owner alone: it holds what members said."""
PRIVATE_FILE = 0o600
LOCK_NAME = "footnote.lock"
HOLDER_NAME = "footnote.pid"
"""Says who holds the lock. Beside the lock file, because Windows lets nobody read a locked file."""


@contextmanager
def lock_data(folder: Path) -> Iterator[None]:
    """Hold *folder* for this process; the operating system lets go of it when the process dies.

    Raises:
        DataInUse: another process holds it; the message says which and what to do.
    """
    folder.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
    holder = folder / HOLDER_NAME
    lock = FileLock(folder / LOCK_NAME, timeout=0, thread_local=False)
    try:
        lock.acquire()
    except Timeout as error:
        raise _in_use(folder, holder) from error
    try:
        holder.write_text(str(os.getpid()), encoding="ascii")
        yield
    finally:
        holder.unlink(missing_ok=True)
        lock.release()


def _in_use(folder: Path, holder: Path) -> DataInUse:
    try:
        pid = int(holder.read_text(encoding="ascii"))
    except (OSError, ValueError):
        # It holds the lock but has not written its number yet, or is just letting go.
        return DataInUse(
            f"Another Footnote is working in {folder}. Stop it, or set FOOTNOTE_DATA_DIR to another folder."
        )
    return DataInUse(
        f"Another Footnote (process {pid}) is working in {folder}. "
        "Stop that process, or set FOOTNOTE_DATA_DIR to another folder.",
        details={"pid": pid},
    )

"""Folders that forget nothing and wait for no disk, where the system has such."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

IN_MEMORY = Path("/dev/shm")


@contextmanager
def quick_folder() -> Iterator[Path]:
    """A folder in memory, else on disk: making an index waits for the disk a dozen times."""
    with TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None, prefix="footnote-") as folder:
        yield Path(folder)

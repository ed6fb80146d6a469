"""How much memory this process and those it started take, from Linux's /proc.

The counter of the largest child cannot be used: it begins with what the parent had when it started it.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

LOOK_EVERY_SECONDS = 0.1


@dataclass
class Peak:
    """The most that was seen so far."""

    mb: float = 0.0


@contextmanager
def watched_memory() -> Iterator[Peak]:
    """Look at the memory again and again until the block ends."""
    peak, is_over = Peak(), threading.Event()

    def look() -> None:
        while not is_over.wait(LOOK_EVERY_SECONDS):
            peak.mb = max(peak.mb, resident_mb())

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield peak
    finally:
        is_over.set()
        watcher.join()


def resident_mb() -> float:
    """Our memory and that of the processes we started: the index's, and for a while those that read a book."""
    children = " ".join(path.read_text() for path in Path("/proc/self/task").glob("*/children")).split()
    return round(sum(_resident_kb(process) for process in ("self", *children)) / 1024, 1)


def _resident_kb(process: str) -> int:
    try:
        lines = Path("/proc", process, "status").read_text().splitlines()
    except OSError:  # it has just ended
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS")), 0)

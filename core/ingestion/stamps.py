"""Tells that a file was not touched since it was last hashed, without opening it."""

import os

SETTLED_NS = 2_000_000_000
"""The coarsest clock a file system keeps (FAT's): two changes within it may leave the same times behind."""
KEEPS_CHANGE_TIME = os.name != "nt"
"""Windows tells when a file was made where others tell when it was last changed in any way."""


def stamp_of(status: os.stat_result, *, now_ns: int) -> str:
    """What changes with every change of a file: its size, its number and its times, with that of the last change
    to any of them, which no program can set back.

    Empty means that the file must be opened to know. So it is for one that was touched just before *now_ns*: it
    could change once more without its times telling. And so it is for one whose times lie ahead of our clock.
    """
    latest_ns = max(status.st_mtime_ns, status.st_ctime_ns)
    if not KEEPS_CHANGE_TIME or latest_ns > now_ns - SETTLED_NS:
        return ""
    return f"{status.st_size} {status.st_ino} {status.st_mtime_ns} {status.st_ctime_ns}"

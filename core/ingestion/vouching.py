"""Hashes a file together with those it includes, and tells without opening them whether any was touched since."""

import os
from collections.abc import Callable, Sequence
from hashlib import file_digest, sha256
from pathlib import Path

from core.ingestion.lesson import SourceFile
from core.ingestion.readers.inclusion import MAX_INCLUDE_BYTES
from core.ingestion.stamps import stamp_of

PartsOf = Callable[[SourceFile], Sequence[Path]]
"""The files that a file includes; to tell, it is opened."""
ABSENT = "-"


def no_parts(source: SourceFile) -> Sequence[Path]:
    return ()


def hash_and_stamp(source: SourceFile, parts_of: PartsOf, *, now_ns: int) -> tuple[str, str]:
    """What is the same while the bytes of a file and of what it includes are, and what vouches for it.

    A stamp is the file's own and a line for each part. It is empty where any of them must be opened to know.

    Raises:
        OSError: the file cannot be opened.
    """
    folder = source.absolute.parent
    with source.absolute.open("rb") as file:
        own = file_digest(file, "sha256").hexdigest()
    parts = sorted(os.path.relpath(part, folder) for part in parts_of(source))
    if not parts:
        return own, source.stamp
    # The stamps come first, so that a change in between shows the next time.
    stamps = [source.stamp, *(_stamp(folder / name, now_ns) for name in parts)]
    lines = [source.stamp, *(f"{stamp}\t{name}" for stamp, name in zip(stamps[1:], parts, strict=True))]
    hashes = "\n".join((own, *(f"{_hash(folder / name)}\t{name}" for name in parts)))
    return sha256(hashes.encode("utf-8", "surrogateescape")).hexdigest(), "\n".join(lines) if all(stamps) else ""


def is_untouched(source: SourceFile, stamp: str, *, now_ns: int) -> bool:
    """Whether neither the file nor what it includes was touched since it had this stamp."""
    own, *parts = stamp.split("\n")
    if not own or own != source.stamp:
        return False
    folder = source.absolute.parent
    before = (line.partition("\t") for line in parts)
    return all(_stamp(folder / name, now_ns) == was for was, _, name in before)


def _stamp(part: Path, now_ns: int) -> str:
    try:
        return stamp_of(part.stat(), now_ns=now_ns)
    except OSError:
        return ABSENT


def _hash(part: Path) -> str:
    try:
        # What is no file might never end; what is too large is not included, whatever it says.
        if not part.is_file() or part.stat().st_size > MAX_INCLUDE_BYTES:
            return ABSENT
        with part.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError:
        return ABSENT

"""Which files of a book must be read, which may stay, and which are gone."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from time import time_ns

from core.ingestion.lesson import SourceFile
from core.ingestion.readers.files import SUFFIXES
from core.ingestion.request import Mode
from core.ingestion.unseen import Unseen
from core.ingestion.vouching import PartsOf, hash_and_stamp, is_untouched, no_parts
from core.store.library import FileRecord

PIPELINE_VERSION = 2
"""Raised when readers, the cutter or the words change so much that books should be read again."""
FILES_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class Changes:
    """A book's files, sorted by what is to be done with them."""

    to_read: tuple[SourceFile, ...]
    unchanged: tuple[SourceFile, ...]
    gone: tuple[str, ...]
    out_of_sight: frozenset[str]
    """Files that may be there and could not be looked at; they stay as they are."""
    hashes: Mapping[str, str]
    """The hash of every file that is there and can be opened, with those it includes."""
    stamps: Mapping[str, str] = field(default_factory=dict)
    """What vouches from now on for files that were hashed and found unchanged."""
    new_stamps: Mapping[str, str] = field(default_factory=dict)
    """What will vouch for each file that was hashed, once it is stored."""

    @property
    def total(self) -> int:
        return len(self.to_read) + len(self.unchanged)


async def find_changes(
    files: Sequence[SourceFile],
    records: Mapping[str, FileRecord],
    *,
    mode: Mode,
    base_url: str | None,
    since: str,
    unseen: Sequence[Unseen] = (),
    parts_of: PartsOf = no_parts,
) -> Changes:
    """Compare a book's files with what was stored of them.

    *since* is when the job was asked for: a file stored later than that is not read twice, even where all files
    are to be read, so that a job goes on where it was interrupted. A file whose stamp is the one it had when it
    was hashed is not hashed again, except where all files are to be read.
    """
    hashes = _vouched_for(files, records, base_url) if mode is Mode.INCREMENTAL else {}
    new_stamps: dict[str, str] = {}
    to_hash = [source for source in files if source.path not in hashes]
    for start in range(0, len(to_hash), FILES_AT_ONCE):
        hashed = await asyncio.to_thread(_hashed, to_hash[start : start + FILES_AT_ONCE], parts_of)
        hashes |= {path: file_hash for path, (file_hash, _) in hashed.items()}
        new_stamps |= {path: stamp for path, (_, stamp) in hashed.items()}

    def is_unchanged(source: SourceFile) -> bool:
        record = records.get(source.path)
        if record is None or record.file_hash != hashes.get(source.path):
            return False
        is_in_place = record.context_hash == context_hash(source, base_url)
        return is_in_place and (mode is Mode.INCREMENTAL or record.ingested_at >= since)

    found = {source.path for source in files}
    unchanged = tuple(source for source in files if is_unchanged(source))
    stay = {source.path for source in unchanged}
    absent = [path for path in records if path not in found]
    out_of_sight = {path for path in absent if any(each.may_hold(path) for each in unseen)}
    return Changes(
        to_read=tuple(source for source in files if source.path not in stay),
        unchanged=unchanged,
        gone=tuple(path for path in absent if path not in out_of_sight),
        out_of_sight=frozenset(out_of_sight),
        hashes=hashes,
        stamps={
            path: stamp for path, stamp in new_stamps.items() if path in stay and stamp != records[path].stamp
        },
        new_stamps=new_stamps,
    )


def context_hash(source: SourceFile, base_url: str | None) -> str:
    """A short hash of all that decides a file's chunks beside its bytes."""
    around = (PIPELINE_VERSION, base_url, source.breadcrumb, source.title, source.place, source.address)
    return sha256(repr(around).encode("utf-8")).hexdigest()[:16]


def book_stamp(stamp: str, base_url: str | None) -> str:
    """What is the same as long as a book's source is untouched (its own *stamp*) and we would read it alike."""
    return stamp and sha256(repr((stamp, PIPELINE_VERSION, SUFFIXES, base_url)).encode("utf-8")).hexdigest()


def _vouched_for(
    files: Sequence[SourceFile], records: Mapping[str, FileRecord], base_url: str | None
) -> dict[str, str]:
    """The hashes of the files that nobody touched since they were hashed."""
    now_ns = time_ns()
    known = ((source, records.get(source.path)) for source in files if source.stamp)
    return {
        source.path: record.file_hash
        for source, record in known
        # An empty hash asks for the file to be read again, whoever touched it.
        if record and record.file_hash and is_untouched(source, record.stamp, now_ns=now_ns)
        # What is read again for another reason is hashed anew: we may know of more that it includes by now.
        if record.context_hash == context_hash(source, base_url)
    }


def _hashed(files: Sequence[SourceFile], parts_of: PartsOf) -> dict[str, tuple[str, str]]:
    """The hash and the stamp of each file that can be opened."""
    hashed: dict[str, tuple[str, str]] = {}
    for source in files:
        # What cannot be opened says why when it is read.
        with suppress(OSError):
            hashed[source.path] = hash_and_stamp(source, parts_of, now_ns=time_ns())
    return hashed

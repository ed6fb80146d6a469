"""Which files of a book must be read, which may stay, and which are gone."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import file_digest, sha256

from core.ingestion.lesson import SourceFile
from core.ingestion.readers.files import SUFFIXES
from core.ingestion.request import Mode
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
    hashes: Mapping[str, str]
    """The SHA-256 of every file that is there and can be opened."""
    stamps: Mapping[str, str] = field(default_factory=dict)
    """What vouches from now on for files that were hashed and found unchanged."""

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
) -> Changes:
    """Compare a book's files with what was stored of them.

    *since* is when the job was asked for: a file stored later than that is not read twice, even where all files
    are to be read, so that a job goes on where it was interrupted. A file whose stamp is the one it had when it
    was hashed is not hashed again, except where all files are to be read.
    """
    hashes = _vouched_for(files, records) if mode is Mode.INCREMENTAL else {}
    to_hash = [source for source in files if source.path not in hashes]
    for start in range(0, len(to_hash), FILES_AT_ONCE):
        hashes |= await asyncio.to_thread(_hashes, to_hash[start : start + FILES_AT_ONCE])

    def is_unchanged(source: SourceFile) -> bool:
        record = records.get(source.path)
        if record is None or record.file_hash != hashes.get(source.path):
            return False
        is_in_place = record.context_hash == context_hash(source, base_url)
        return is_in_place and (mode is Mode.INCREMENTAL or record.ingested_at >= since)

    found = {source.path for source in files}
    unchanged = tuple(source for source in files if is_unchanged(source))
    stay = {source.path for source in unchanged}
    return Changes(
        to_read=tuple(source for source in files if source.path not in stay),
        unchanged=unchanged,
        gone=tuple(path for path in records if path not in found),
        hashes=hashes,
        stamps={each.path: each.stamp for each in unchanged if each.stamp != records[each.path].stamp},
    )


def context_hash(source: SourceFile, base_url: str | None) -> str:
    """A short hash of all that decides a file's chunks beside its bytes."""
    around = (PIPELINE_VERSION, base_url, source.breadcrumb, source.title, source.place, source.address)
    return sha256(repr(around).encode("utf-8")).hexdigest()[:16]


def book_stamp(stamp: str, base_url: str | None) -> str:
    """What is the same as long as a book's source is untouched (its own *stamp*) and we would read it alike."""
    return stamp and sha256(repr((stamp, PIPELINE_VERSION, SUFFIXES, base_url)).encode("utf-8")).hexdigest()


def _vouched_for(files: Sequence[SourceFile], records: Mapping[str, FileRecord]) -> dict[str, str]:
    """The hashes of the files that nobody touched since they were hashed."""
    known = ((source, records.get(source.path)) for source in files if source.stamp)
    return {
        source.path: record.file_hash
        for source, record in known
        # An empty hash asks for the file to be read again, whoever touched it.
        if record and record.file_hash and record.stamp == source.stamp
    }


def _hashes(files: Sequence[SourceFile]) -> dict[str, str]:
    return dict(_each_hash(files))


def _each_hash(files: Sequence[SourceFile]) -> Iterator[tuple[str, str]]:
    for source in files:
        try:
            with source.absolute.open("rb") as file:
                yield source.path, file_digest(file, "sha256").hexdigest()
        except OSError:
            # It cannot be opened; reading it will say why.
            continue

"""Opens zip files that strangers made: broken ones are refused in words, greedy ones are stopped."""

import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from core.errors import UnreadableFile


@dataclass(frozen=True, slots=True)
class ZipLimits:
    """How far a zip may unfold; far above any real book."""

    entries: int = 20_000
    entry_bytes: int = 200_000_000
    total_bytes: int = 1_000_000_000
    ratio: int = 200
    """A larger entry may not be more than this many times its packed size."""
    ratio_from_bytes: int = 5_000_000


class SafeZip:
    """A zip whose entries can be read by name, each within the limits."""

    def __init__(self, archive: zipfile.ZipFile, *, name: str, limits: ZipLimits) -> None:
        self._archive = archive
        self._name = name
        self._limits = limits
        self._read_bytes = 0
        self.is_exhausted = False
        """Whether the archive as a whole unfolded to more than it may."""
        self.entries = archive.infolist()
        self._by_name = {entry.filename: entry for entry in self.entries}
        self._by_folded: dict[str, zipfile.ZipInfo] = {}
        for entry in self.entries:
            self._by_folded.setdefault(_folded(entry.filename), entry)

    @property
    def duplicates(self) -> list[str]:
        """Names that occur more than once; the last of each is read."""
        names = [entry.filename for entry in self.entries]
        return sorted({name for name in names if names.count(name) > 1}) if len(self._by_name) < len(names) else []

    def find(self, name: str) -> zipfile.ZipInfo | None:
        """The entry called *name*, however its letters are escaped, composed or cased; None if there is none."""
        exact = self._by_name.get(name) or self._by_name.get(unquote(name))
        return exact or self._by_folded.get(_folded(unquote(name)))

    def read(self, entry: zipfile.ZipInfo) -> bytes:
        """The bytes of *entry*.

        Raises:
            UnreadableFile: it is encrypted, broken, or unfolds beyond the limits.
        """
        if entry.flag_bits & 0x1:
            raise UnreadableFile(f"{self._name} is protected by a password, so it cannot be read.")
        # The size an entry declares may be a lie; what counts is what comes out.
        allowed = min(self._limits.entry_bytes, self._limits.total_bytes - self._read_bytes)
        allowed = min(allowed, max(self._limits.ratio_from_bytes, entry.compress_size * self._limits.ratio))
        try:
            with self._archive.open(entry) as packed:
                unpacked = packed.read(allowed + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
            raise UnreadableFile(
                f"{self._name} is damaged: {entry.filename!r} in it cannot be unpacked."
            ) from error
        if len(unpacked) > allowed:
            self.is_exhausted = allowed == self._limits.total_bytes - self._read_bytes
            raise UnreadableFile(f"{self._name} unfolds to far more than its size, so it was not read further.")
        self._read_bytes += len(unpacked)
        return unpacked


@contextmanager
def open_zip(path: Path, *, name: str, kind: str, limits: ZipLimits | None = None) -> Iterator[SafeZip]:
    """Open the zip file at *path*; *name* and *kind* ("an EPUB") are for the sentences.

    Raises:
        UnreadableFile: it is empty, not a zip, cut short, or has absurdly many entries.
    """
    limits = limits or ZipLimits()
    if path.stat().st_size == 0:
        raise UnreadableFile(f"{name} is empty.")
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, OverflowError) as error:
        raise UnreadableFile(_refusal(path, name, kind)) from error
    with archive:
        if len(archive.infolist()) > limits.entries:
            raise UnreadableFile(f"{name} holds more than {limits.entries} files, so it was not read.")
        yield SafeZip(archive, name=name, limits=limits)


def _refusal(path: Path, name: str, kind: str) -> str:
    with path.open("rb") as file:
        start = file.read(4)
    if start == b"PK\x03\x04":
        return f"{name} is cut short or damaged: its table of contents is missing. Try downloading it again."
    return f"{name} is not {kind}, whatever its name says."


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name.replace("\\", "/")).casefold()

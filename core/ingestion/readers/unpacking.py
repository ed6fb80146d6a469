"""Unpacks an archive of lessons into a folder, taking only what can be read and nothing outside that folder."""

import stat
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from zipfile import ZipInfo

from core.errors import UnreadableFile
from core.ingestion.readers.category import NAMES
from core.ingestion.readers.files import SUFFIXES
from core.ingestion.readers.zips import SafeZip, open_zip
from core.ingestion.unseen import Unseen

_ALSO = (*NAMES, "book.toml")
_INCLUDED = (
    ".rs",
    ".toml",
    ".py",
    ".js",
    ".ts",
    ".c",
    ".h",
    ".cpp",
    ".java",
    ".go",
    ".sh",
    ".sql",
    ".yml",
    ".yaml",
)
"""What the lessons of an mdBook may include."""


@dataclass(frozen=True, slots=True)
class Unpacked:
    """A book that was in an archive."""

    root: Path
    """Its folder."""
    refused: tuple[str, ...] = ()
    """One sentence for each entry that was left out."""
    unseen: tuple[Unseen, ...] = ()
    """The entries that could not be unpacked."""


@dataclass(slots=True)
class _Unpacking:
    zipped: SafeZip
    folder: Path
    refused: list[str] = field(default_factory=list)
    entries: list[PurePosixPath] = field(default_factory=list)
    """The entries that belong to the book, whether they can be unpacked or not."""
    damaged: list[tuple[PurePosixPath, str]] = field(default_factory=list)


def unpack(archive: Path, folder: Path) -> Unpacked:
    """Unpack a book into *folder*.

    Raises:
        UnreadableFile: it is not a zip, damaged, protected by a password, or unfolds beyond all measure.
    """
    with open_zip(archive, name=archive.name, kind="a zip archive") as zipped:
        work = _Unpacking(zipped, folder)
        for entry in zipped.entries:
            _unpack_entry(work, entry)
    sentences = (*(reason for _, reason in work.damaged), *work.refused)
    if sentences and len(work.damaged) == len(work.entries):
        raise UnreadableFile(sentences[0])
    inside = _innermost(work.entries)
    unseen = [
        Unseen(path, reason, (path,))
        for entry, reason in work.damaged
        for path in ("/".join(entry.parts[len(inside) :]),)
    ]
    return Unpacked(folder.joinpath(*inside), tuple(dict.fromkeys(work.refused)), tuple(unseen))


def _unpack_entry(work: _Unpacking, entry: ZipInfo) -> None:
    name = entry.filename.replace("\\", "/")
    # The name comes first: an entry without one cannot even be asked whether it is a folder.
    if not name.lower().endswith((*SUFFIXES, *_ALSO, *_INCLUDED)) or entry.is_dir():
        return
    path = PurePosixPath(name)
    if name.startswith("/") or ".." in path.parts or ":" in path.parts[0]:
        work.refused.append(f"{entry.filename!r} leads out of the archive and was left out.")
        return
    if stat.S_ISLNK(entry.external_attr >> 16):
        work.refused.append(f"{entry.filename!r} is a link and was left out.")
        return
    work.entries.append(path)
    target = work.folder / path
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(work.zipped.read(entry))
    except OSError as error:
        work.damaged.append((path, f"{entry.filename!r} cannot be unpacked: {error.strerror or error}."))
    except UnreadableFile as error:
        if work.zipped.is_exhausted:
            raise
        work.damaged.append((path, error.message))


def _innermost(entries: list[PurePosixPath]) -> tuple[str, ...]:
    """The folders around the book: an archive often holds one folder that holds it. Entries that are damaged count
    too, so that the others keep their paths.
    """
    inside: tuple[str, ...] = ()
    left = [entry.parts for entry in entries if entry.parts[0] != "__MACOSX"]
    while left and all(len(parts) > 1 and parts[0] == left[0][0] for parts in left):
        inside = (*inside, left[0][0])
        left = [parts[1:] for parts in left]
    return inside

"""Unpacks an archive of lessons into a folder, taking only what can be read and nothing outside that folder."""

import stat
from pathlib import Path, PurePosixPath
from zipfile import ZipInfo

from core.errors import UnreadableFile
from core.ingestion.readers.category import NAMES
from core.ingestion.readers.files import SUFFIXES
from core.ingestion.readers.zips import SafeZip, open_zip

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


def unpack(archive: Path, folder: Path) -> tuple[Path, tuple[str, ...]]:
    """The book's folder inside *folder*, and one sentence for each entry that was left out.

    Raises:
        UnreadableFile: it is not a zip, damaged, protected by a password, or unfolds beyond all measure.
    """
    refused: list[str] = []
    with open_zip(archive, name=archive.name, kind="a zip archive") as zipped:
        for entry in zipped.entries:
            _unpack_entry(zipped, entry, folder, refused)
    if refused and not any(folder.iterdir()):
        raise UnreadableFile(refused[0])
    return _innermost(folder), tuple(dict.fromkeys(refused))


def _unpack_entry(zipped: SafeZip, entry: ZipInfo, folder: Path, refused: list[str]) -> None:
    name = entry.filename.replace("\\", "/")
    # The name comes first: an entry without one cannot even be asked whether it is a folder.
    if not name.lower().endswith((*SUFFIXES, *_ALSO, *_INCLUDED)) or entry.is_dir():
        return
    parts = PurePosixPath(name).parts
    if name.startswith("/") or ".." in parts or ":" in parts[0]:
        refused.append(f"{entry.filename!r} leads out of the archive and was left out.")
        return
    if stat.S_ISLNK(entry.external_attr >> 16):
        refused.append(f"{entry.filename!r} is a link and was left out.")
        return
    target = folder.joinpath(*parts)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(zipped.read(entry))
    except OSError as error:
        refused.append(f"{entry.filename!r} cannot be unpacked: {error.strerror or error}.")
    except UnreadableFile as error:
        if zipped.is_exhausted:
            raise
        refused.append(error.message)


def _innermost(folder: Path) -> Path:
    """An archive often holds one folder that holds the book."""
    while True:
        inside = [path for path in folder.iterdir() if path.name != "__MACOSX"]
        if len(inside) != 1 or not inside[0].is_dir():
            return folder
        folder = inside[0]

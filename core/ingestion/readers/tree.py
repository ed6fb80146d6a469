"""Walks a folder that strangers may have filled, staying inside it."""

from collections.abc import Iterator
from dataclasses import dataclass
from errno import ELOOP
from hashlib import sha256
from os import DirEntry, scandir, stat_result
from pathlib import Path
from time import time_ns

from core.errors import LibraryError
from core.ingestion.stamps import stamp_of
from core.ingestion.unseen import EVERYTHING, Unseen, is_gone

SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__", "venv", "_static", "_sources", "__MACOSX"})
MAX_DEPTH = 40
MAX_FILES = 200_000


@dataclass(slots=True)
class FoundFile:
    """A file as it was when the walk came by."""

    path: str
    """Where it is on this machine."""
    size: int
    stamp: str


@dataclass(frozen=True, slots=True)
class Folder:
    """One folder's own files and folders, by name."""

    path: str
    """Relative to the root, with forward slashes; empty for the root itself."""
    files: dict[str, FoundFile]
    folders: dict[str, "Folder"]
    refused: tuple[str, ...] = ()
    """One sentence for each entry that was left out."""
    unseen: tuple[Unseen, ...] = ()
    """Its entries that could not be looked at, or the folder itself."""

    def everything_refused(self) -> Iterator[str]:
        """The sentences of this folder and those inside it."""
        yield from self.refused
        for folder in self.folders.values():
            yield from folder.everything_refused()

    def everything_unseen(self) -> Iterator[Unseen]:
        """What could not be looked at in this folder and those inside it."""
        yield from self.unseen
        for folder in self.folders.values():
            yield from folder.everything_unseen()

    def stamp(self) -> str:
        """What changes when any file is touched, added or removed; empty where something has no stamp."""
        lines: list[str] = []
        _add_stamps(self, lines)
        return sha256("\0".join(lines).encode("utf-8", "surrogateescape")).hexdigest() if all(lines) else ""


def walk(root: Path) -> Folder:
    """The tree below *root*, without hidden files and without links that lead out of it or round in a circle.

    Raises:
        LibraryError: it holds absurdly many files.
    """
    return _Walker(root.resolve()).folder(str(root), "", depth=0)


class _Walker:
    def __init__(self, root: Path) -> None:
        self._root = root
        self._entered: list[str] = []
        self._seen: set[tuple[int, int]] = set()
        self._count = 0
        self._began_ns = time_ns()

    def folder(self, folder: str, path: str, *, depth: int) -> Folder:
        self._entered.append(folder)
        files: dict[str, FoundFile] = {}
        folders: dict[str, Folder] = {}
        refused: list[str] = []
        unseen: list[Unseen] = []
        for entry in self._entries(folder, path, unseen):
            inner = f"{path}/{entry.name}" if path else entry.name
            try:
                trouble = self._trouble(entry, inner, depth)
                if trouble:
                    refused.append(trouble)
                elif entry.is_dir():
                    folders[entry.name] = self.folder(entry.path, inner, depth=depth + 1)
                elif entry.is_file():
                    files[entry.name] = self._found(entry)
            except OSError as error:
                _note(unseen, inner, error)
        return Folder(path, files, folders, tuple(refused), tuple(unseen))

    def _entries(self, folder: str, path: str, unseen: list[Unseen]) -> list[DirEntry[str]]:
        try:
            with scandir(folder) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError as error:
            _note(unseen, path, error)
            return []
        return [entry for entry in entries if not entry.name.startswith(".") and entry.name not in SKIPPED_FOLDERS]

    def _trouble(self, entry: DirEntry[str], inner: str, depth: int) -> str | None:
        if depth >= MAX_DEPTH and entry.is_dir(follow_symlinks=False):
            return f"{inner} is nested more than {MAX_DEPTH} folders deep and was left out."
        if not entry.is_symlink():
            return None
        try:
            target = Path(entry.path).resolve(strict=True)
        except (OSError, RuntimeError) as error:
            if isinstance(error, OSError) and not is_gone(error) and error.errno != ELOOP:
                raise
            return f"{inner} is a link that leads nowhere or in a circle and was left out."
        if not target.is_relative_to(self._root):
            return f"{inner} is a link that leads out of the book and was left out."
        if entry.is_dir() and self._was_entered(entry):
            return f"{inner} is a link to a folder that is already read and was left out."
        return None

    def _was_entered(self, entry: DirEntry[str]) -> bool:
        # Only a link can lead back, so folders are looked at more closely when the first one is met.
        self._seen.update(_identity(Path(folder).stat()) for folder in self._entered)
        self._entered.clear()
        return _identity(entry.stat()) in self._seen

    def _found(self, entry: DirEntry[str]) -> FoundFile:
        self._count += 1
        if self._count > MAX_FILES:
            raise LibraryError(
                f"The folder holds more than {MAX_FILES} files; name the folder of the book itself."
            )
        status = entry.stat()
        return FoundFile(entry.path, status.st_size, stamp_of(status, now_ns=self._began_ns))


def _note(unseen: list[Unseen], path: str, error: OSError) -> None:
    if not is_gone(error):
        reason = f"{path or 'The folder'} cannot be opened: {error.strerror or error}."
        unseen.append(Unseen(path or "the folder", reason, (path,) if path else EVERYTHING))


def _identity(status: stat_result) -> tuple[int, int]:
    """What tells one folder from another, by whatever path it is reached."""
    return status.st_dev, status.st_ino


def _add_stamps(folder: Folder, lines: list[str]) -> None:
    for name, file in folder.files.items():
        lines.append(f"{folder.path}/{name}\0{file.stamp}" if file.stamp else "")
    if folder.unseen:
        lines.append("")
    for inner in folder.folders.values():
        _add_stamps(inner, lines)

"""The files whose text goes into another one's lesson: found inside the book, and within limits."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from errno import ELOOP, ENAMETOOLONG
from pathlib import Path, PurePosixPath

from core.errors import UnreadableFile
from core.ingestion.lesson import SourceFile
from core.ingestion.readers.decoding import MAX_TEXT_BYTES, decode
from core.ingestion.unseen import is_gone

MAX_DEPTH = 10
MAX_INCLUDED_CHARS = 2_000_000
MAX_INCLUDE_BYTES = 4_000_000
MAX_WATCHED_FILES, MAX_WATCHED_BYTES = 1_000, 16_000_000
"""As much of what one lesson includes is watched for changes."""

Trail = tuple[Path, ...]
"""The file that is read, the one it includes, the one that this one includes, and so on."""


@dataclass
class Inclusion:
    """Opens what one lesson includes; what is missing, outside the book or cyclic is left out and named."""

    root: Path
    chars: int = 0
    """How much was included so far."""
    _missing: list[str] = field(default_factory=list)
    _refused: list[str] = field(default_factory=list)

    @property
    def warnings(self) -> tuple[str, ...]:
        """One sentence for each thing that could not be filled in, and one for all that is missing."""
        names = list(dict.fromkeys(self._missing))
        if not names:
            return tuple(dict.fromkeys(self._refused))
        shown = ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
        missing = f"It includes {len(names)} files that are missing: {shown}."
        return (
            missing if len(names) > 1 else f"It includes {shown}, which is missing.",
            *dict.fromkeys(self._refused),
        )

    def leave_out(self, name: str) -> None:
        """Say of a file that it cannot be one of the book's."""
        self._refused.append(f"It includes {name!r}, which is outside the book and was left out.")

    def open(self, name: str, trail: Trail) -> tuple[Path, str] | None:
        """Where the file that the last of *trail* calls *name* is, and its text; None where it is left out."""
        path = _located(trail[-1], name)
        trouble = self._trouble(path, name, trail) if path is not None else None
        if trouble:
            self._refused.append(trouble)
            return None
        if path is None or not path.is_file():
            self._missing.append(name)
            return None
        try:
            return path, decode(path.read_bytes(), name=name).text
        except (OSError, UnreadableFile):
            self._refused.append(f"It includes {name!r}, which cannot be read.")
            return None

    def _trouble(self, path: Path, name: str, trail: Trail) -> str | None:
        if not path.is_relative_to(self.root.resolve()):
            return f"It includes {name!r}, which is outside the book and was left out."
        if path in trail:
            return f"It includes {name!r}, which includes itself, and was left out."
        is_large = path.is_file() and path.stat().st_size > MAX_INCLUDE_BYTES
        if len(trail) > MAX_DEPTH or self.chars > MAX_INCLUDED_CHARS or is_large:
            return f"It includes {name!r}, which is too much, and was left out."
        return None


def included_files(source: SourceFile, names_in: Callable[[str], Iterable[str]]) -> tuple[Path, ...]:
    """The files of the book that a file includes, itself or through others, whether they are there or not.

    *names_in* finds what a text includes. Each file is looked at once, however often it is included.

    Raises:
        OSError: one of them may not be looked at.
    """
    root, names = root_of(source), list(names_in(_text(source.absolute)))
    # Most files include nothing, and a large book has ten thousand of them.
    if root is None or not names:
        return ()
    root, here = root.resolve(), source.absolute.resolve()
    found: dict[Path, None] = {}
    left = MAX_WATCHED_BYTES
    wanted = [_located(here, name) for name in names]
    for _ in range(MAX_DEPTH + 1):
        new = (path for path in wanted if path is not None and path != here and path not in found)
        level = [path for path in dict.fromkeys(new) if path.is_relative_to(root)]
        for path in level:
            left -= path.stat().st_size if path.is_file() else 0
            if left < 0 or len(found) == MAX_WATCHED_FILES:
                return tuple(found)
            found[path] = None
        wanted = [_located(file, name) for file in level for name in names_in(_text(file))]
    return tuple(found)


def _located(file: Path, name: str) -> Path | None:
    """The file that *file* calls *name*, whether it is there or not; None where no file can be called so."""
    try:
        path = (file.parent / name).resolve()
        path.stat()
    except OSError as error:
        if is_gone(error):
            return path
        if error.errno in {ELOOP, ENAMETOOLONG}:
            return None
        raise
    except (ValueError, RuntimeError):
        return None
    return path


def _text(file: Path) -> str:
    try:
        is_readable = file.is_file() and file.stat().st_size <= MAX_TEXT_BYTES
        return file.read_text("utf-8", "replace") if is_readable else ""
    except OSError:
        return ""


def root_of(source: SourceFile) -> Path | None:
    """The folder of the book on this machine; None where the file does not stand in it as its path says."""
    parts, here = PurePosixPath(source.path).parts, source.absolute
    return here.parents[len(parts) - 1] if here.parts[-len(parts) :] == parts else None

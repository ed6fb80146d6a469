"""A folder of lessons in Docusaurus order: Markdown first of all, with pages, EPUBs and PDFs among them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path, PurePosixPath

from core.ingestion.lesson import Lesson, LessonPlace, SourceFile
from core.ingestion.readers.category import read_category
from core.ingestion.readers.files import SUFFIXES, read_any
from core.ingestion.readers.numbering import (
    first_number,
    is_index,
    natural_key,
    place_of_path,
    readable,
)
from core.ingestion.readers.tree import Folder, walk

HEAD_BYTES = 4_096
"""Enough of a lesson to see its position and title; discovery opens no more than this."""

MARKDOWN = (".md", ".mdx", ".markdown")
_POSITION = re.compile(r"^sidebar_position:[ \t]*[\"']?(-?\d{1,9}(?:\.\d{1,9})?)", re.MULTILINE)
_TITLE = re.compile(r"^title:[ \t]*(.+?)[ \t]*$", re.MULTILINE)
_HEADING = re.compile(r"^# +(.+?)[ \t#]*$", re.MULTILINE)
_LEFT_OUT = frozenset(
    {"license.md", "code_of_conduct.md", "security.md", "genindex.html", "search.html", "404.html"}
)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A file or folder among its neighbours."""

    key: tuple[object, ...]
    file: SourceFile | None = None
    folder: Folder | None = None


class FolderReader:
    """Reads a folder of lessons of any kind we know. *refused* says what it left out, once it discovered."""

    def __init__(self) -> None:
        self.refused: tuple[str, ...] = ()

    def discover(self, root: Path) -> Iterable[SourceFile]:
        """The book's files in reading order: by position, then by number, then by name; indexes first."""
        tree = walk(root)
        self.refused = tuple(tree.everything_refused())
        for order, source in enumerate(_ordered(tree, ())):
            yield replace(source, order=order)

    def read(self, source: SourceFile) -> list[Lesson]:
        """The lessons of one file."""
        return read_any(source)


def _ordered(folder: Folder, breadcrumb: tuple[str, ...]) -> Iterator[SourceFile]:
    entries = [*_files(folder, breadcrumb), *_folders(folder)]
    for entry in sorted(entries, key=lambda entry: entry.key):
        if entry.file is not None:
            yield entry.file
        if entry.folder is not None:
            yield from _ordered(entry.folder, (*breadcrumb, _label(entry.folder)))


def _files(folder: Folder, breadcrumb: tuple[str, ...]) -> Iterator[_Entry]:
    for name, absolute in folder.files.items():
        # A name with an underscore is a part that other pages import.
        if not name.lower().endswith(SUFFIXES) or name.startswith("_") or name.lower() in _LEFT_OUT:
            continue
        path = f"{folder.path}/{name}" if folder.path else name
        position = _position(absolute)
        place = place_of_path(path)
        yield _Entry(
            key=(not is_index(path), *_key(name, position)),
            file=SourceFile(
                path=path,
                absolute=absolute,
                size=absolute.stat().st_size,
                # A folder's own page stands under what the folder stands under.
                breadcrumb=breadcrumb[:-1] if is_index(path) else breadcrumb,
                place=_with_position(place, path, position),
            ),
        )


def _folders(folder: Folder) -> Iterator[_Entry]:
    for name, inner in folder.folders.items():
        yield _Entry(key=(True, *_key(name, read_category(inner.files).position)), folder=inner)


def _key(name: str, position: float | None) -> tuple[object, ...]:
    if position is None:
        number = first_number(name)
        position = inf if number is None else float(number)
    return position, natural_key(name)


def _with_position(place: LessonPlace, path: str, position: float | None) -> LessonPlace:
    """A lesson that is not numbered by its name is numbered by its position beside its neighbours."""
    is_whole = position is not None and position >= 0 and position.is_integer()
    is_chapter = place.chapter is not None and place_of_path(PurePosixPath(path).name).chapter is not None
    if place.lesson is not None or is_index(path) or is_chapter or not is_whole or position is None:
        return place
    return replace(place, lesson=int(position))


def _label(folder: Folder) -> str:
    """What a folder is called: by its category file, else by its index page, else by its name."""
    if not folder.folders and all(is_index(f"{folder.path}/{name}") for name in folder.files):
        # Nothing stands under it, so nobody will ask.
        return ""
    label = read_category(folder.files).label
    if label:
        return label
    index = next((path for name, path in folder.files.items() if is_index(f"{folder.path}/{name}")), None)
    head = _head(index) if index is not None else ""
    found = _TITLE.search(head) or _HEADING.search(head)
    title = found[1].strip().strip("\"'").strip() if found else ""
    return title or readable(folder.path.rpartition("/")[2])


def _position(path: Path) -> float | None:
    if path.suffix.lower() not in MARKDOWN:
        return None
    head = _head(path)
    is_told = "sidebar_position" in head and head.lstrip("\ufeff \n").startswith("---")
    found = _POSITION.search(head) if is_told else None
    return float(found[1]) if found else None


def _head(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(HEAD_BYTES).decode("utf-8", errors="replace").replace("\r\n", "\n")
    except OSError:
        return ""

"""A folder of lessons in Docusaurus order: Markdown first of all, with pages, EPUBs and PDFs among them."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from operator import attrgetter
from pathlib import Path

from core.ingestion.lesson import Lesson, LessonPlace, SourceFile
from core.ingestion.readers.category import read_category
from core.ingestion.readers.files import SUFFIXES, parts_of_any, read_any
from core.ingestion.readers.numbering import (
    first_number,
    is_index,
    natural_key,
    place_of_path,
    readable,
)
from core.ingestion.readers.tree import Folder, FoundFile, walk
from core.ingestion.unseen import Unseen

HEAD_BYTES = 4_096
"""Enough of a lesson to see its position and title; discovery opens no more than this."""

MARKDOWN = (".md", ".mdx", ".markdown")
_POSITION = re.compile(r"^sidebar_position:[ \t]*[\"']?(-?\d{1,9}(?:\.\d{1,9})?)", re.MULTILINE)
_TITLE = re.compile(r"^title:[ \t]*(.+?)[ \t]*$", re.MULTILINE)
_HEADING = re.compile(r"^# +(.+?)[ \t#]*$", re.MULTILINE)
_LEFT_OUT = frozenset(
    {"license.md", "code_of_conduct.md", "security.md", "genindex.html", "search.html", "404.html"}
)


@dataclass(slots=True)
class _Entry:
    """A file or folder among its neighbours."""

    key: tuple[object, ...]
    name: str
    file: FoundFile | None = None
    position: float | None = None
    is_own_page: bool = False
    """Whether the file stands for the folder it is in."""


class FolderReader:
    """Reads a folder of lessons of any kind we know. *refused* says what it left out and *unseen* what it could
    not look at, once it discovered.
    """

    def __init__(self) -> None:
        self.refused: tuple[str, ...] = ()
        self.unseen: tuple[Unseen, ...] = ()

    def discover(self, root: Path) -> Iterable[SourceFile]:
        """The book's files in reading order: by position, then by number, then by name; indexes first."""
        tree = walk(root)
        self.refused, self.unseen = tuple(tree.everything_refused()), tuple(tree.everything_unseen())
        return in_reading_order(tree)

    def parts(self, source: SourceFile) -> Sequence[Path]:
        """What the file's lessons take from other files."""
        return parts_of_any(source)

    def read(self, source: SourceFile) -> list[Lesson]:
        """The lessons of one file."""
        return read_any(source)


def in_reading_order(tree: Folder) -> list[SourceFile]:
    """The files of a book whose folder was walked."""
    found: list[SourceFile] = []
    _collect(tree, (), found)
    return found


def _collect(folder: Folder, breadcrumb: tuple[str, ...], found: list[SourceFile]) -> None:
    """Add the files of *folder* and of those inside it to *found*, in reading order."""
    entries = [*_files(folder), *_folders(folder)]
    for entry in sorted(entries, key=attrgetter("key")):
        if entry.file is not None:
            found.append(_source(entry.file, entry, folder, breadcrumb, order=len(found)))
        else:
            inner = folder.folders[entry.name]
            _collect(inner, (*breadcrumb, _label(inner)), found)


def _files(folder: Folder) -> Iterator[_Entry]:
    for name, file in folder.files.items():
        lower = name.lower()
        # A name with an underscore is a part that other pages import.
        if not lower.endswith(SUFFIXES) or name.startswith("_") or lower in _LEFT_OUT:
            continue
        position = _position(file.path) if lower.endswith(MARKDOWN) else None
        is_own_page = is_index(_inside(folder, name))
        yield _Entry((not is_own_page, *_key(name, position)), name, file, position, is_own_page)


def _folders(folder: Folder) -> Iterator[_Entry]:
    for name, inner in folder.folders.items():
        yield _Entry((True, *_key(name, read_category(inner.files).position)), name)


def _source(
    file: FoundFile, entry: _Entry, folder: Folder, breadcrumb: tuple[str, ...], *, order: int
) -> SourceFile:
    path = _inside(folder, entry.name)
    return SourceFile(
        path=path,
        location=file.path,
        size=file.size,
        order=order,
        # A folder's own page stands under what the folder stands under.
        breadcrumb=breadcrumb[:-1] if entry.is_own_page else breadcrumb,
        place=_place(path, entry),
        stamp=file.stamp,
    )


def _inside(folder: Folder, name: str) -> str:
    return f"{folder.path}/{name}" if folder.path else name


def _key(name: str, position: float | None) -> tuple[object, ...]:
    if position is None:
        number = first_number(name)
        position = inf if number is None else float(number)
    return position, natural_key(name)


def _place(path: str, entry: _Entry) -> LessonPlace:
    """A lesson that is not numbered by its name is numbered by its position beside its neighbours."""
    place, position = place_of_path(path), entry.position
    if position is None or position < 0 or not position.is_integer():
        return place
    is_chapter = place.chapter is not None and place_of_path(entry.name).chapter is not None
    if place.lesson is not None or entry.is_own_page or is_chapter:
        return place
    return replace(place, lesson=int(position))


def _label(folder: Folder) -> str:
    """What a folder is called: by its category file, else by its index page, else by its name."""
    if not folder.folders and all(is_index(_inside(folder, name)) for name in folder.files):
        # Nothing stands under it, so nobody will ask.
        return ""
    label = read_category(folder.files).label
    if label:
        return label
    index = next((file for name, file in folder.files.items() if is_index(_inside(folder, name))), None)
    head = _text(_head(index.path)) if index is not None else ""
    found = _TITLE.search(head) or _HEADING.search(head)
    title = found[1].strip().strip("\"'").strip() if found else ""
    return title or readable(folder.path.rpartition("/")[2])


def _position(path: str) -> float | None:
    head = _head(path)
    if b"sidebar_position" not in head:
        return None
    text = _text(head)
    found = _POSITION.search(text) if text.lstrip("\ufeff \n").startswith("---") else None
    return float(found[1]) if found else None


def _head(path: str) -> bytes:
    # Discovery does this for every file of a large book, and a file object costs more than the reading.
    try:
        file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except OSError:
        return b""
    try:
        return os.read(file, HEAD_BYTES)
    except OSError:
        return b""
    finally:
        os.close(file)


def _text(head: bytes) -> str:
    return head.decode("utf-8", errors="replace").replace("\r\n", "\n")

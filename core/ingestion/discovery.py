"""From what a leader names (a folder or a file) to a reader and the files of the book."""

from dataclasses import replace
from pathlib import Path

from core.errors import LibraryError
from core.ingestion.lesson import Lesson, Reader, SourceFile
from core.ingestion.readers.files import SUFFIXES
from core.ingestion.readers.folder import FolderReader
from core.ingestion.readers.single import FileReader
from core.model.limits import MIN_CHUNK_CHARS


def read_book(root: Path) -> tuple[Reader, list[SourceFile]]:
    """The reader for the book at *root* and its files in reading order.

    Raises:
        LibraryError: there is nothing there, or nothing that can be read.
    """
    if not root.exists():
        raise LibraryError(f"{root} does not exist.")
    reader: Reader = FolderReader() if root.is_dir() else FileReader()
    files = list(reader.discover(root))
    if not files:
        known = ", ".join(SUFFIXES)
        raise LibraryError(f"Nothing in {root.name} can be read as a book; known are {known}.")
    return reader, files


def read_file(reader: Reader, source: SourceFile) -> list[Lesson]:
    """The lessons of one file; a function of its own, so that other processes can run it.

    Raises:
        UnreadableFile: nothing can be read from it; the message says why.
    """
    return [_with_warning(lesson) for lesson in reader.read(source)]


def _with_warning(lesson: Lesson) -> Lesson:
    if len(lesson.text.strip()) >= MIN_CHUNK_CHARS:
        return lesson
    return replace(lesson, warnings=(*lesson.warnings, f"{lesson.title} has next to no text to find anything by."))

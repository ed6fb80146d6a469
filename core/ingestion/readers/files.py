"""Which reader a single file needs, by its name."""

from collections.abc import Callable, Sequence
from pathlib import Path

from core.errors import UnreadableFile
from core.ingestion.lesson import Lesson, SourceFile
from core.ingestion.readers import epub, html, lessons, pdf, plain_text

Read = Callable[[SourceFile], list[Lesson]]

_READERS: tuple[tuple[tuple[str, ...], Read], ...] = (
    (lessons.SUFFIXES, lessons.read),
    (plain_text.SUFFIXES, plain_text.read),
    (html.SUFFIXES, html.read),
    (epub.SUFFIXES, epub.read),
    (pdf.SUFFIXES, pdf.read),
)

SUFFIXES = tuple(suffix for suffixes, _ in _READERS for suffix in suffixes)
"""The endings of every file we can read."""


def parts_of_any(source: SourceFile) -> Sequence[Path]:
    """The other files whose text goes into the lessons of a file of any kind we know."""
    return lessons.parts(source) if source.path.lower().endswith(lessons.SUFFIXES) else ()


def read_any(source: SourceFile) -> list[Lesson]:
    """The lessons of one file of any kind we know.

    Raises:
        UnreadableFile: nothing can be read from it; the message says why.
    """
    name = source.path.lower()
    for suffixes, read in _READERS:
        if name.endswith(suffixes):
            return read(source)
    raise UnreadableFile(f"{source.path} is of a kind that cannot be read; known are {', '.join(SUFFIXES)}.")

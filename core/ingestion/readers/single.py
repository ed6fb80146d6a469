"""A book that is one file: Markdown, text, a web page, an EPUB or a PDF."""

from collections.abc import Iterable
from pathlib import Path

from core.ingestion.lesson import Lesson, SourceFile
from core.ingestion.readers.files import SUFFIXES, read_any


class FileReader:
    """Reads a single file of any kind we know."""

    def discover(self, root: Path) -> Iterable[SourceFile]:
        """The file itself, if its name says that it can be read."""
        if root.name.lower().endswith(SUFFIXES):
            yield SourceFile(path=root.name, absolute=root, size=root.stat().st_size)

    def read(self, source: SourceFile) -> list[Lesson]:
        """The lessons of the file."""
        return read_any(source)

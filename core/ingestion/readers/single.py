"""A book that is one file: Markdown, text, a web page, an EPUB or a PDF."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from time import time_ns

from core.ingestion.lesson import Lesson, SourceFile
from core.ingestion.readers.files import SUFFIXES, parts_of_any, read_any
from core.ingestion.stamps import stamp_of


class FileReader:
    """Reads a single file of any kind we know."""

    def discover(self, root: Path) -> Iterable[SourceFile]:
        """The file itself, if its name says that it can be read."""
        if root.name.lower().endswith(SUFFIXES):
            now_ns, status = time_ns(), root.stat()
            stamp = stamp_of(status, now_ns=now_ns)
            yield SourceFile(path=root.name, location=str(root), size=status.st_size, stamp=stamp)

    def parts(self, source: SourceFile) -> Sequence[Path]:
        """What the file's lessons take from other files."""
        return parts_of_any(source)

    def read(self, source: SourceFile) -> list[Lesson]:
        """The lessons of the file."""
        return read_any(source)

"""Reads web pages: one page is one lesson, and a whole book on one page is divided into its lessons."""

from pathlib import PurePosixPath

from core.errors import UnreadableFile
from core.ingestion.lesson import Lesson, SourceFile
from core.ingestion.readers.decoding import read_bytes
from core.ingestion.readers.dividing import divided
from core.ingestion.readers.html.page import MAX_PAGE_BYTES, parse, title_from_name

SUFFIXES = (".html", ".htm", ".xhtml")


def read(source: SourceFile) -> list[Lesson]:
    """The lessons of one page; none when the page has no words of its own, as a search page has not.

    Raises:
        UnreadableFile: the file is empty, or not a web page that can be read.
    """
    raw = read_bytes(source, most_bytes=MAX_PAGE_BYTES)
    if not raw.strip():
        raise UnreadableFile(f"{source.path} is empty.")
    page = parse(raw, name=source.path)
    if not page.blocks:
        return []
    lesson = Lesson(
        source_file=source.path,
        title=page.title or source.title or title_from_name(source.path),
        blocks=page.blocks,
        place=source.place,
        breadcrumb=source.breadcrumb,
        slug=_slug(source.path),
        order=source.order_of(0),
        address=source.address,
    )
    return divided(lesson)


def _slug(path: str) -> str:
    """The page's path on its site: the start page of a folder is reached by the folder's own address."""
    pure = PurePosixPath(path)
    if pure.stem == "index":
        folder = pure.parent.as_posix()
        return "" if folder == "." else f"{folder}/"
    return pure.as_posix()

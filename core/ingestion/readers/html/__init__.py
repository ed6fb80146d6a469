"""Reads web pages: one page is one lesson, and a whole book on one page is divided into its lessons."""

from pathlib import PurePosixPath

from core.errors import UnreadableFile
from core.ingestion.lesson import Lesson, LessonPlace, SourceFile
from core.ingestion.readers.division import Division, divide
from core.ingestion.readers.html.page import Page, parse, title_from_name

SUFFIXES = (".html", ".htm", ".xhtml")


def read(source: SourceFile) -> list[Lesson]:
    """The lessons of one page; none when the page has no words of its own, as a search page has not.

    Raises:
        UnreadableFile: the file is empty, or not a web page that can be read.
    """
    raw = source.absolute.read_bytes()
    if not raw.strip():
        raise UnreadableFile(f"{source.path} is empty.")
    page = parse(raw, name=source.path)
    divisions = divide(page.blocks)
    return [
        _lesson(source, page, division, order=order, is_whole=len(divisions) == 1)
        for order, division in enumerate(divisions)
    ]


def _lesson(source: SourceFile, page: Page, division: Division, *, order: int, is_whole: bool) -> Lesson:
    name = page.title or title_from_name(source.path)
    path = () if is_whole else division.path
    outer = tuple(title for title in path[:-1] if title != name)
    return Lesson(
        source_file=source.path,
        title=path[-1] if path else name,
        blocks=division.blocks,
        place=LessonPlace(),
        breadcrumb=(name, *outer) if path and path[-1] != name else outer,
        slug=_slug(source.path),
        order=order,
    )


def _slug(path: str) -> str:
    """The page's path on its site: the start page of a folder is reached by the folder's own address."""
    pure = PurePosixPath(path)
    if pure.stem == "index":
        folder = pure.parent.as_posix()
        return "" if folder == "." else f"{folder}/"
    return pure.as_posix()

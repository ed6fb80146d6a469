"""Opens PDF files with PDFium and takes down their lines and bookmarks, exactly as they stand on the pages."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pypdfium2
from pypdfium2 import raw

from core.errors import UnreadableFile
from core.ingestion.readers.pdf.glyphs import Glyphs, Line

MAX_PAGES = 5_000
MAX_CHARS_PER_PAGE = 100_000
"""A page with more letters is a drawing made of them."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page's lines in the order the file draws them."""

    number: int
    """Counted from 1, as a viewer counts."""
    width: float
    height: float
    lines: tuple[Line, ...]
    has_pictures: bool = False


@dataclass(frozen=True, slots=True)
class Bookmark:
    """One line of the outline that a viewer shows beside the pages."""

    level: int
    """1 is the outermost."""
    title: str
    page: int
    top: float | None
    """How high on the page it leads to; None where it only names the page."""


class Document:
    """An open PDF. Not safe for two threads."""

    def __init__(self, pdf: Any, *, name: str) -> None:
        self._pdf = pdf
        self._name = name

    @property
    def page_count(self) -> int:
        return min(len(self._pdf), MAX_PAGES)

    @property
    def is_cut(self) -> bool:
        """Whether it has more pages than are read."""
        return len(self._pdf) > MAX_PAGES

    @property
    def title(self) -> str:
        """What the file says it is called; often nothing, or the name of the program that made it."""
        return " ".join(str(self._pdf.get_metadata_dict().get("Title") or "").split())

    def bookmarks(self) -> list[Bookmark]:
        """The outline in reading order; entries that lead nowhere are left out."""
        found: list[Bookmark] = []
        for entry in self._pdf.get_toc(max_depth=6):
            target = entry.get_dest()
            index = target.get_index() if target is not None else None
            title = " ".join(str(entry.get_title()).replace("\x00", "").split())
            if index is not None and title and 0 <= index < self.page_count:
                found.append(Bookmark(entry.level + 1, title, index + 1, _top(target)))
        return found

    def pages(self) -> Iterator[Page | None]:
        """Every page in turn; None for one that is damaged."""
        for index in range(self.page_count):
            try:
                yield self._page(index)
            except pypdfium2.PdfiumError:
                yield None

    def _page(self, index: int) -> Page:
        page = self._pdf[index]
        try:
            text = page.get_textpage()
            try:
                lines = tuple(Glyphs(text, most=MAX_CHARS_PER_PAGE).lines())
            finally:
                text.close()
            has_pictures = not lines and _has_pictures(page)
            width, height = page.get_size()
        finally:
            page.close()
        return Page(index + 1, width, height, lines, has_pictures)


@contextmanager
def open_pdf(path: Path, *, name: str) -> Iterator[Document]:
    """Open the PDF at *path*; *name* is for the sentences.

    Raises:
        UnreadableFile: it is empty, not a PDF, damaged beyond repair, or protected by a password.
    """
    if path.stat().st_size == 0:
        raise UnreadableFile(f"{name} is empty.")
    try:
        pdf = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        raise UnreadableFile(_refusal(path, name, error)) from error
    try:
        if len(pdf) == 0:
            raise UnreadableFile(f"{name} is cut short or damaged: no page of it can be found.")
        yield Document(pdf, name=name)
    finally:
        pdf.close()


def _refusal(path: Path, name: str, error: pypdfium2.PdfiumError) -> str:
    code = getattr(error, "err_code", None)
    if code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
        return f"{name} is protected by a password, so it cannot be read. Save a copy without it."
    with path.open("rb") as file:
        start = file.read(1_024)
    if b"%PDF" not in start:
        return f"{name} is not a PDF, whatever its name says."
    return f"{name} is cut short or damaged, so it cannot be read. Try downloading it again."


def _top(target: Any) -> float | None:
    kind, view = target.get_view()
    if kind == raw.PDFDEST_VIEW_XYZ and len(view) > 1:
        return float(view[1]) if view[1] is not None else None
    return float(view[0]) if kind in (raw.PDFDEST_VIEW_FITH, raw.PDFDEST_VIEW_FITBH) and view else None


def _has_pictures(page: Any) -> bool:
    return any(True for _ in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=3))

"""Reads PDF books: the outline gives the chapters, and each passage knows its page."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from statistics import median

from core.errors import UnreadableFile
from core.ingestion.lesson import Block, BlockKind, Lesson, LessonPlace, SourceFile
from core.ingestion.readers import html
from core.ingestion.readers.blocks import BlockBuilder
from core.ingestion.readers.contents import places
from core.ingestion.readers.division import Division, divide
from core.ingestion.readers.numbering import readable
from core.ingestion.readers.pdf.document import Document, Page, open_pdf
from core.ingestion.readers.pdf.headings import by_bookmarks, by_size
from core.ingestion.readers.pdf.layout import in_reading_order, without_leaders, without_running_lines
from core.ingestion.readers.pdf.notes import first_note
from core.ingestion.readers.pdf.paragraphs import PlacedLine, known_words, listing, prose, stretches

SUFFIXES = (".pdf",)
MAX_PDF_BYTES = 400_000_000
MAX_TITLE_CHARS = 120
TITLE_TIMES = 1.4
"""A title is set in type at least this many times the size of most lines."""

_HTML = re.compile(rb"\A\s*<(?:!doctype html|html|head|body|p|h1)\b", re.IGNORECASE)
_MADE_BY_PROGRAM = re.compile(r"untitled|microsoft word|\.(?:docx?|tex|dvi|indd|pdf|qxd)\b|^\W*$", re.IGNORECASE)


def read(source: SourceFile) -> list[Lesson]:
    """The lessons of a PDF: its chapters, long ones divided further.

    Raises:
        UnreadableFile: it is not a PDF, damaged, protected, or its pages are pictures.
    """
    if source.size > MAX_PDF_BYTES:
        raise UnreadableFile(f"{source.path} is larger than {MAX_PDF_BYTES // 1_000_000} MB, so it was not read.")
    if _is_web_page(source):
        return html.read(source)
    with open_pdf(source.absolute, name=source.path) as document:
        pages, is_cut = list(document.pages()), document.is_cut
        readable_pages = [page for page in pages if page is not None]
        blocks = _blocks(document, readable_pages)
        title = _title(document, readable_pages) or source.title or readable(PurePosixPath(source.path).stem)
    if not blocks:
        raise UnreadableFile(_without_text(source.path, pages))
    warnings = _warnings(pages)
    if is_cut:
        warnings.append(f"It has more than {len(pages)} pages; the rest was left out.")
    return _lessons(source, title, blocks, warnings=tuple(warnings))


def _is_web_page(source: SourceFile) -> bool:
    """A download that failed often leaves a web page behind under the book's name."""
    with source.absolute.open("rb") as file:
        return _HTML.match(file.read(512)) is not None


def _title(document: Document, pages: Sequence[Page]) -> str:
    """The file's own word for it, unless a program put it there; else the largest type on the first page."""
    if not _MADE_BY_PROGRAM.search(document.title):
        return document.title
    lines = pages[0].lines if pages else ()
    largest = max((line.size for line in lines), default=0.0)
    is_large = (
        largest >= TITLE_TIMES * median(line.size for page in pages[:20] for line in page.lines or ())
        if lines
        else False
    )
    words = " ".join(line.text for line in lines if line.size > largest * 0.95)
    return words if is_large and len(words) <= MAX_TITLE_CHARS else ""


def _blocks(document: Document, pages: Sequence[Page]) -> tuple[Block, ...]:
    clean = without_running_lines(pages)
    lines = [line for page in clean for line in _placed(without_leaders(page))]
    bookmarks = document.bookmarks()
    marked = by_bookmarks(lines, bookmarks) if bookmarks else by_size(lines)
    words = known_words(lines)
    builder = BlockBuilder()
    for stretch in stretches(marked):
        anchor = f"page={stretch.page}"
        if stretch.kind is BlockKind.HEADING:
            builder.heading(stretch.lines[0].level or 1, prose(stretch, words), anchor=anchor)
        elif stretch.kind is BlockKind.CODE:
            builder.add(BlockKind.CODE, listing(stretch), anchor=anchor)
        else:
            builder.add(stretch.kind, prose(stretch, words), anchor=anchor)
    return builder.build()


def _placed(page: Page) -> list[PlacedLine]:
    lines = in_reading_order(page)
    notes = first_note(lines)
    return [PlacedLine(line, page.number, is_note=at >= notes) for at, line in enumerate(lines)]


def _lessons(
    source: SourceFile, title: str, blocks: tuple[Block, ...], *, warnings: tuple[str, ...]
) -> list[Lesson]:
    divisions = divide(blocks)
    paths = [_path(division, title) for division in divisions]
    said = places(paths, [division.blocks for division in divisions]) if len(divisions) > 1 else [source.place]
    return [
        Lesson(
            source_file=source.path,
            title=path[-1] if path and len(divisions) > 1 else title,
            blocks=division.blocks,
            place=_place(place, source),
            breadcrumb=(*source.breadcrumb, title, *path[:-1]) if len(divisions) > 1 else source.breadcrumb,
            slug=f"{source.path}/{number}" if len(divisions) > 1 else source.path,
            order=source.order_of(number),
            warnings=warnings if number == 0 else (),
            address=source.address or source.path,
        )
        for number, (division, path, place) in enumerate(zip(divisions, paths, said, strict=True))
    ]


def _path(division: Division, title: str) -> tuple[str, ...]:
    return tuple(name for name in division.path if name != title)


def _place(place: LessonPlace, source: SourceFile) -> LessonPlace:
    return replace(place, module=place.module or source.place.module)


def _warnings(pages: Sequence[Page | None]) -> list[str]:
    scanned = [str(page.number) for page in pages if page is not None and page.has_pictures]
    damaged = [str(number) for number, page in enumerate(pages, start=1) if page is None]
    sentences = []
    if scanned:
        sentences.append(f"{_some(scanned)} of {len(pages)} are pictures without text and could not be read.")
    if damaged:
        sentences.append(f"{_some(damaged)} of {len(pages)} are damaged and could not be read.")
    return sentences


def _some(numbers: Sequence[str]) -> str:
    shown = ", ".join(numbers[:10]) + (" …" if len(numbers) > 10 else "")
    return f"{len(numbers)} pages ({shown})"


def _without_text(name: str, pages: Sequence[Page | None]) -> str:
    if any(page is not None and page.has_pictures for page in pages):
        return f"{name} is a scan: its pages are pictures. Run text recognition (OCR) over it and add it again."
    if all(page is None for page in pages):
        return f"{name} is damaged: none of its pages can be opened."
    return f"{name} holds no text."

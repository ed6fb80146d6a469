"""Puts the lines of PDF pages into reading order, and takes running heads and feet away."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import median

from core.ingestion.readers.pdf.document import Page
from core.ingestion.readers.pdf.glyphs import Line
from core.ingestion.readers.pdf.headings import body_size, is_larger

EDGE_ROWS = 2
"""A running head or foot stands in one of this many rows at the edge."""

EDGE_SHARE = 0.14
"""And within this share of the page's height."""

REPEATS = 3
"""A head is running when it stands on at least this many pages."""

MIN_COLUMN_LINES = 8
MIN_COLUMN_SHARE = 0.25
"""A column's lines are at least this wide, measured by the page; narrower ones are the cells of a table."""

MIN_ENTRIES = 3
"""From this many numbered lines on, a page is a printed table of contents, and may have lines without a number."""

_LEADER = re.compile(r"(?:[ ]?\.){4,}[ ]*(\d{1,4}|l?x{0,4}(?:ix|iv|v?i{0,3}))[ ]*$")
_ENTRY_NUMBER = re.compile(r"\d{1,4}|[ivxl]{1,7}")
_NUMBER = re.compile(r"(?<!\w)\d+(?!\w)")
_PAGE_NUMBER = re.compile(r"(?:page\s+)?[-–—|\s]*(?:#|[ivxlcdm]{1,7})[-–—|\s]*(?:of\s+#|/\s*#)?", re.IGNORECASE)


def without_running_lines(pages: Sequence[Page]) -> list[Page]:
    """The same pages without what repeats at their heads and feet, and without page numbers.

    Where nothing would be left, as in a few slides with one line each, nothing is taken away.
    """
    body = body_size(line for page in pages for line in page.lines)
    cleaned = _without_repeated(_without_numbered_rows(pages, body), body)
    return cleaned if any(page.lines for page in cleaned) else list(pages)


def _without_repeated(pages: Sequence[Page], body: float) -> list[Page]:
    edges = [{id(line): _key(line, body) for line in _edge_lines(page)} for page in pages]
    seen = Counter(key for edge in edges for key in set(edge.values()))
    running = {key for key, count in seen.items() if count >= REPEATS and _may_run(key)}
    return [
        replace(page, lines=tuple(line for line in page.lines if edge.get(id(line)) not in running))
        for page, edge in zip(pages, edges, strict=True)
    ]


def _without_numbered_rows(pages: Sequence[Page], body: float) -> list[Page]:
    """Without the outermost rows that carry the page's number, apart from other words or beside the same ones.

    "Exercise 3" in large type is a title, on whichever page it stands.
    """
    rows = [[row for row in _outer_rows(page) if _may_be_numbered(row, body)] for page in pages]
    beside = Counter(words for outer in rows for words in {_beside_numbers(row) for row in outer})
    offsets = Counter(
        offset
        for page, outer in zip(pages, rows, strict=True)
        for offset in {number - page.number for row in outer for number in _numbers(row, beside)}
    )
    counted = {offset for offset, count in offsets.items() if count >= REPEATS}
    # Where most pages are counted so, a head too long to leave a gap before its number is one as well.
    certain = {offset for offset in counted if offsets[offset] * 2 >= len(pages)}
    cleaned: list[Page] = []
    for page, outer in zip(pages, rows, strict=True):
        gone = {
            id(line)
            for row in outer
            if any(number - page.number in counted for number in _numbers(row, beside))
            or any(number - page.number in certain for number in _end_numbers(row))
            for line in row
        }
        cleaned.append(replace(page, lines=tuple(line for line in page.lines if id(line) not in gone)))
    return cleaned


def _may_be_numbered(row: Sequence[Line], body: float) -> bool:
    is_short = sum(len(line.text) for line in row) < 150
    return is_short and not any(is_larger(line, body) for line in row)


def _numbers(row: Sequence[Line], beside: Mapping[str, int]) -> set[int]:
    """The numbers at a row's ends that may be the page's."""
    is_running = beside[_beside_numbers(row)] > 1
    apart = {line.text.strip() for line in row}
    return {number for number in _end_numbers(row) if is_running or str(number) in apart}


def _beside_numbers(row: Sequence[Line]) -> str:
    return " ".join(_NUMBER.sub("", _text(row)).split()).casefold()


def _outer_rows(page: Page) -> list[list[Line]]:
    """The highest and the lowest row of a page."""
    if not page.lines:
        return []
    highest = max(page.lines, key=lambda line: line.top)
    lowest = min(page.lines, key=lambda line: line.bottom)
    return [
        [line for line in page.lines if abs(line.top - edge.top) < edge.size / 2] for edge in (highest, lowest)
    ]


def _end_numbers(row: Sequence[Line]) -> set[int]:
    """The numbers a row begins or ends with."""
    words = _text(row).split()
    return {int(word) for word in (words[0], words[-1]) if word.isdecimal() and len(word) < 5} if words else set()


def _text(row: Sequence[Line]) -> str:
    return " ".join(line.text for line in sorted(row, key=lambda line: line.left))


def without_leaders(page: Page) -> Page:
    """The same page without the lines of a printed table of contents: a title, dots, a page number.

    Dots alone are none: a sentence may end in them, and a work sheet leaves room for answers so.
    """
    dotted = {id(line): match for line in page.lines if (match := _LEADER.search(line.text))}
    if not dotted:
        return page
    heights = {round(line.bottom) for line in page.lines if _ENTRY_NUMBER.fullmatch(line.text.strip())}
    entries = {
        id(line)
        for line in page.lines
        if id(line) in dotted and (dotted[id(line)][1] or heights & {round(line.bottom) + by for by in (-1, 0, 1)})
    }
    gone = dotted.keys() if len(entries) >= MIN_ENTRIES else entries
    return replace(page, lines=tuple(line for line in page.lines if id(line) not in gone))


def in_reading_order(page: Page) -> list[Line]:
    """The page's lines as a person reads them: column by column, and the cells of a table row by row."""
    gutter = _gutter(page)
    if gutter is None:
        return _joined_rows(page.lines)
    ordered: list[Line] = []
    left: list[Line] = []
    right: list[Line] = []
    for line in sorted(page.lines, key=lambda line: -line.top):
        if line.left < gutter < line.right:
            ordered += [*left, *right, line]
            left, right = [], []
        else:
            (left if line.right <= gutter else right).append(line)
    return [*ordered, *left, *right]


def _edge_lines(page: Page) -> list[Line]:
    """The lines of the outermost rows, if they are near the edge of the page."""
    tops = sorted({round(line.top / 3) for line in page.lines}, reverse=True)
    outer = {*tops[:EDGE_ROWS], *tops[-EDGE_ROWS:]}
    low, high = page.height * EDGE_SHARE, page.height * (1 - EDGE_SHARE)
    return [
        line
        for line in page.lines
        if round(line.top / 3) in outer and (line.bottom >= high or line.top <= low) and len(line.text) < 200
    ]


def _key(line: Line, body: float) -> str:
    """What a running line says on each page. Titles in large type are told apart by their numbers."""
    words = " ".join(line.text.split()).casefold()
    return words if is_larger(line, body) else _NUMBER.sub("#", words)


def _may_run(key: str) -> bool:
    return _PAGE_NUMBER.fullmatch(key) is not None or sum(letter.isalnum() for letter in key) >= 3


def _gutter(page: Page) -> float | None:
    """Where the page is divided into two columns of running text; None where it is not."""
    middle = page.width / 2
    left = [line for line in page.lines if line.right < middle + page.width * 0.08 and line.left < middle]
    right = [line for line in page.lines if line.left > middle - page.width * 0.08]
    if min(len(left), len(right)) < MIN_COLUMN_LINES:
        return None
    widths = (median(line.right - line.left for line in side) for side in (left, right))
    if min(widths) < page.width * MIN_COLUMN_SHARE:
        return None
    gutter = (_quantile([line.right for line in left], 0.9) + _quantile([line.left for line in right], 0.1)) / 2
    crossing = sum(line.left < gutter - 2 and line.right > gutter + 2 for line in page.lines)
    return gutter if crossing <= len(page.lines) * 0.3 else None


def _quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[int(share * (len(values) - 1))]


def _joined_rows(lines: Sequence[Line]) -> list[Line]:
    """Neighbours on one row, as the cells of a table, become one line."""
    joined: list[Line] = []
    for line in lines:
        last = joined[-1] if joined else None
        if last is not None and line.left >= last.right and abs(last.bottom - line.first_bottom) < line.size * 0.3:
            both = f"{last.text}  {line.text}"
            is_code = last.is_code and line.is_code
            joined[-1] = replace(last, text=both, right=line.right, bottom=line.bottom, is_code=is_code)
        else:
            joined.append(line)
    return joined

"""Finds the headings among a PDF's lines: by its bookmarks, else by the size of the type."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.ingestion.readers.pdf.document import Bookmark
from core.ingestion.readers.pdf.glyphs import Line
from core.ingestion.readers.pdf.paragraphs import PlacedLine

LARGER = 1.18
"""Type this many times the size of the running text is a heading."""

MAX_HEADING_CHARS = 140
MAX_LEVELS = 4


def by_bookmarks(lines: Sequence[PlacedLine], bookmarks: Sequence[Bookmark]) -> list[PlacedLine]:
    """The lines with a heading where each bookmark leads: its own line where that is found, else a new one."""
    by_page: dict[int, list[Bookmark]] = defaultdict(list)
    for bookmark in bookmarks:
        by_page[bookmark.page].append(bookmark)
    marked: list[PlacedLine] = []
    start = 0
    while start < len(lines):
        page = lines[start].page
        end = next((at for at in range(start, len(lines)) if lines[at].page != page), len(lines))
        marked += _marked_page(list(lines[start:end]), by_page.pop(page, []))
        start = end
    return marked


def by_size(lines: Sequence[PlacedLine]) -> list[PlacedLine]:
    """The lines with those set in clearly larger type as headings, the largest outermost."""
    body = body_size(placed.line for placed in lines)
    sizes = sorted({_rounded(p.line) for p in lines if _is_large(p.line, body)}, reverse=True)
    levels = {size: min(level, MAX_LEVELS) for level, size in enumerate(sizes, start=1)}
    return [
        replace(placed, level=levels[_rounded(placed.line)], title=f"{placed.page}:{_rounded(placed.line)}")
        if _is_large(placed.line, body)
        else placed
        for placed in lines
    ]


def body_size(lines: Iterable[Line]) -> float:
    """The size of the running text: what most letters are set in; 0 without any."""
    letters: Counter[float] = Counter()
    for line in lines:
        letters[_rounded(line)] += len(line.text)
    return letters.most_common(1)[0][0] if letters else 0.0


def is_larger(line: Line, body: float) -> bool:
    """Whether a line is set in clearly larger type than the running text."""
    return _rounded(line) >= body * LARGER


def _marked_page(lines: list[PlacedLine], bookmarks: Sequence[Bookmark]) -> list[PlacedLine]:
    taken: set[int] = set()
    before: dict[int, list[PlacedLine]] = defaultdict(list)
    for bookmark in bookmarks:
        found = _lines_of(lines, bookmark, taken)
        if found:
            taken.update(found)
            for at in found:
                lines[at] = replace(lines[at], level=bookmark.level, title=bookmark.title)
            continue
        at = _position(lines, bookmark)
        top = lines[min(at, len(lines) - 1)].line
        line = replace(top, text=bookmark.title, is_code=False)
        before[at].append(PlacedLine(line, bookmark.page, bookmark.level, bookmark.title))
    marked: list[PlacedLine] = []
    for at, placed in enumerate(lines):
        marked += [*before[at], placed]
    return marked + before[len(lines)]


def _lines_of(lines: Sequence[PlacedLine], bookmark: Bookmark, taken: set[int]) -> list[int]:
    """The lines that show a bookmark's title, which may be broken over up to three of them."""
    wanted = _letters(bookmark.title)
    if not wanted:
        return []
    for at in range(len(lines)):
        shown, end = "", at
        while end < min(at + 3, len(lines)) and end not in taken and len(shown) < len(wanted) + 20:
            shown += _letters(lines[end].line.text)
            end += 1
            number = shown[: len(shown) - len(wanted)]
            if shown.endswith(wanted) and (number.isdigit() or number in _BEFORE or not number):
                return list(range(at, end))
            if (
                number
                and number.startswith(("chapter", "appendix"))
                and shown.endswith(wanted)
                and len(number) < 14
            ):
                return list(range(at, end))
    return []


_BEFORE = frozenset("abcdefghijklm")


def _position(lines: Sequence[PlacedLine], bookmark: Bookmark) -> int:
    if bookmark.top is None:
        return 0
    below = (at for at, placed in enumerate(lines) if placed.line.bottom < bookmark.top)
    return next(below, len(lines))


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _rounded(line: Line) -> float:
    return round(line.size * 2) / 2


def _is_large(line: Line, body: float) -> bool:
    has_words = sum(letter.isalpha() for letter in line.text) >= 2
    return has_words and is_larger(line, body) and len(line.text) <= MAX_HEADING_CHARS and not line.is_code

"""Lines of a PDF → paragraphs, listings and headings, as blocks that know their page."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from core.ingestion.lesson import BlockKind
from core.ingestion.readers.pdf.glyphs import HYPHEN, Line
from core.ingestion.readers.pdf.notes import NOTE_MARK

_ENDS = re.compile(r"[.!?:;][\"'”’)\]]*$|[。！？]$")
_ITEM = re.compile(r"(?:[•◦▪‣●–*-]|\(?\d{1,3}[.)]|\(?[a-z]\))\s+\S")
_DIVIDED = re.compile(rf"(\w+)[{HYPHEN}]\s*(\w+)")
_WORD = re.compile(r"\w+(?:-\w+)+|\w+")


@dataclass(frozen=True, slots=True)
class PlacedLine:
    """A line and the page it stands on. *level* is set where it is a heading."""

    line: Line
    page: int
    level: int | None = None
    title: str = ""
    is_note: bool = False


@dataclass(frozen=True, slots=True)
class Stretch:
    """Lines that belong together, as one block."""

    kind: BlockKind
    lines: tuple[PlacedLine, ...]

    @property
    def page(self) -> int:
        return self.lines[0].page


def stretches(lines: Sequence[PlacedLine]) -> Iterator[Stretch]:
    """Group the lines of a whole book into paragraphs, lists, listings and headings."""
    shape = _Shape(lines)
    group: list[PlacedLine] = []
    notes: list[PlacedLine] = []
    for placed in lines:
        if placed.is_note:
            # A footnote waits until the paragraph that it interrupts has ended, perhaps on the next page.
            notes.append(placed)
            continue
        if group and not shape.continues(group, placed):
            yield _stretch(group)
            yield from _grouped_notes(notes, shape)
            group, notes = [], []
        group.append(placed)
    if group:
        yield _stretch(group)
    yield from _grouped_notes(notes, shape)


def _grouped_notes(notes: Sequence[PlacedLine], shape: "_Shape") -> Iterator[Stretch]:
    group: list[PlacedLine] = []
    for placed in notes:
        if group and not shape.continues_note(group[-1], placed):
            yield _stretch(group)
            group = []
        group.append(placed)
    if group:
        yield _stretch(group)


def known_words(lines: Sequence[PlacedLine]) -> Counter[str]:
    """Every word the book writes undivided, for mending those that a line's end divided."""
    whole = (_DIVIDED.sub(" ", placed.line.text) for placed in lines)
    return Counter(word.casefold() for text in whole for word in _WORD.findall(text))


def prose(stretch: Stretch, words: Counter[str]) -> str:
    """The lines of a paragraph as running text, divided words mended."""
    text = ""
    for placed in stretch.lines:
        line = placed.line.text.strip()
        if text.endswith("-") and text[-2:-1].isalpha() and line[:1].islower():
            text = text[:-1] + HYPHEN + line
        else:
            text = f"{text}{line}" if text.endswith(HYPHEN) else f"{text} {line}"
    return _DIVIDED.sub(lambda found: _mended(found, words), text).replace(HYPHEN, "").strip()


def listing(stretch: Stretch) -> str:
    """The lines of a program listing, indented as they are on the page, between fences."""
    left = min(placed.line.left for placed in stretch.lines)
    width = median(
        max(1.0, (placed.line.right - placed.line.left) / max(1, len(placed.line.text)))
        for placed in stretch.lines
    )
    rows = [
        " " * min(60, round((placed.line.left - left) / width)) + placed.line.text.replace(HYPHEN, "-")
        for placed in stretch.lines
    ]
    fence = "````" if any("```" in row for row in rows) else "```"
    return "\n".join([fence, *rows, fence])


def _mended(found: re.Match[str], words: Counter[str]) -> str:
    first, second = found[1], found[2]
    joined, hyphened = f"{first}{second}", f"{first}-{second}"
    return hyphened if words[hyphened.casefold()] > words[joined.casefold()] else joined


def _is_last_of(group: Sequence[PlacedLine], line: Line) -> bool:
    """Whether a line of code is only the last word of a paragraph: flush with it, below a full line."""
    last = group[-1].line
    is_full = last.right > max(placed.line.right for placed in group) - last.size
    return len(group) > 1 and is_full and abs(last.left - line.left) < 2 and not _ENDS.search(last.text)


def _stretch(group: Sequence[PlacedLine]) -> Stretch:
    first = group[0]
    if first.level is not None:
        return Stretch(BlockKind.HEADING, tuple(group))
    if all(placed.line.is_code for placed in group):
        return Stretch(BlockKind.CODE, tuple(group))
    kind = BlockKind.LIST if _ITEM.match(first.line.text) else BlockKind.PARAGRAPH
    return Stretch(kind, tuple(group))


class _Shape:
    """What a book's text block looks like: how far its lines are apart and where they end."""

    def __init__(self, lines: Sequence[PlacedLine]) -> None:
        steps = [
            before.line.bottom - after.line.first_bottom
            for before, after in pairwise(lines)
            if before.page == after.page and 0 < before.line.bottom - after.line.first_bottom < 40
        ]
        self._step = median(steps) if steps else 12.0

    def continues(self, group: Sequence[PlacedLine], placed: PlacedLine) -> bool:
        """Whether *placed* goes on with what the lines of *group* say."""
        last, line = group[-1], placed.line
        if placed.level is not None or last.level is not None:
            return placed.level == last.level and bool(placed.title) and placed.title == last.title
        if placed.page != last.page:
            return not _ENDS.search(last.line.text) and line.text[:1].islower() and not last.line.is_code
        is_listing = all(each.line.is_code for each in group)
        if is_listing:
            return line.is_code and self._step_after(last.line, line) < self._step * 2.2
        if line.is_code and not _is_last_of(group, line):
            return False
        return self._goes_on(last.line, line)

    def continues_note(self, last: PlacedLine, placed: PlacedLine) -> bool:
        """Whether a line goes on with the footnote before it."""
        return placed.page == last.page and not NOTE_MARK.match(placed.line.text)

    def _goes_on(self, last: Line, line: Line) -> bool:
        if not self._is_close(last, line) or _ITEM.match(line.text):
            return False
        if abs(last.size - line.size) > 0.25 * last.size:
            return False
        is_sentence_end = _ENDS.search(last.text) is not None
        is_apart = self._step_after(last, line) > self._step * 1.12
        is_indented = line.left > last.left + line.size * 0.8 and line.left - last.left < line.size * 4
        is_short = last.right < line.right - line.size * 3
        return not (is_sentence_end and (is_apart or is_indented or is_short))

    def _step_after(self, last: Line, line: Line) -> float:
        return last.bottom - line.first_bottom

    def _is_close(self, last: Line, line: Line) -> bool:
        # A step upwards is the head of the next column.
        step = self._step_after(last, line)
        return step < 0 or step < self._step * 1.6

"""Long text → parts that a platform accepts, cut where a reader would pause."""

import re
import unicodedata
from dataclasses import dataclass
from itertools import pairwise

_FENCE = re.compile(r"```[^`\n]{0,30}$")
_CLOSING = "\n```"
_HEADING = re.compile(r"#{1,6} |(\*{1,2})[^*]+\1$")
_ITEM = re.compile(r"\s*(?:[-*+•◦▪]|\d{1,9}[.)]) ")
_QUOTE = re.compile(r"(?:> ?)+")
_SENTENCE_END = re.compile(
    r"[.!?…。！？][\"'”’)\]*_]*(?:\[\d+\]|\[\[\d+\]\]\([^)\s]*\)|<[^>\s]*\|\[\d+\]>)*(?=\s)"
)
# Links, code, bold, escapes and entities: a cut through one of these shows as debris.
_WHOLE = re.compile(
    r"``[^\n]+?``|`[^`\n]+`|!?\[(?:\[[^\]\n]*\]|[^\[\]\n])*\]\(<?[^)\s]*>?\)|<[^<>\s|]+\|[^<>\n]*>|<https?://[^<>\s]+>"
    r"|\*\*[^*\n]+\*\*|\[\d+\]|https?://\S+|&(?:amp|lt|gt);|\\."
)
MIN_LIMIT = 64
_JOINERS = {"\u200d", "\ufe0e", "\ufe0f", "\u20e3"}


def units(text: str) -> int:
    """The length as the strictest platform counts it: UTF-16 code units."""
    return len(text) + sum(1 for sign in text if ord(sign) > 0xFFFF)


def split(text: str, limit: int) -> list[str]:
    """*text* in parts of at most *limit* units, in order, nothing lost but the blanks at the cuts.

    A fence that has to be cut is closed and opened again, so that each part stands alone.

    Raises:
        ValueError: *limit* leaves no room for a fence with a line in it.
    """
    if limit < MIN_LIMIT:
        raise ValueError(f"a part needs room for at least {MIN_LIMIT} characters")
    parts: list[str] = []
    rest = _closed(text.strip("\n"))
    while units(rest) > limit:
        part, rest = _first_part(rest, limit)
        parts.append(part)
    return [part for part in (*parts, rest) if part.strip()] or [""]


def shortened(text: str, limit: int) -> str:
    """*text* in at most *limit* units; an ellipsis shows where more was."""
    if units(text) <= limit:
        return text
    end = _fitting(text, limit - 1)
    cut = max(
        (space for space in (text.rfind(" ", 0, end), text.rfind("\n", 0, end)) if space > end // 2), default=end
    )
    return text[:cut].rstrip() + "…"


@dataclass(frozen=True, slots=True)
class _Line:
    """One line with where it begins, and the fence it stands in."""

    start: int
    text: str
    fence: str | None
    """The line that opened the fence around this one; None outside."""
    closes: bool = False

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def _lines(text: str) -> list[_Line]:
    start, fence = 0, None
    lines = []
    for line in text.split("\n"):
        closes = fence is not None and line.strip() == "```"
        lines.append(_Line(start, line, fence, closes))
        if closes:
            fence = None
        elif fence is None and _FENCE.match(line):
            fence = line
        start += len(line) + 1
    return lines


def _closed(text: str) -> str:
    last = _lines(text)[-1]
    is_open = (last.fence is not None and not last.closes) or (last.fence is None and _FENCE.match(last.text))
    return text + _CLOSING if is_open else text


def _first_part(text: str, limit: int) -> tuple[str, str]:
    """The first part and what remains, both whole documents."""
    lines = _lines(text)
    cut = _best_break(text, lines, limit)
    line = max((line for line in lines if line.start <= cut), key=lambda line: line.start)
    part, rest = text[:cut].rstrip(), text[cut:]
    if line.fence is not None:
        return part + _CLOSING, f"{line.fence}\n{rest.removeprefix(chr(10))}"
    if cut == line.start:
        return part, rest.lstrip("\n")
    quoted = _QUOTE.match(line.text)
    if quoted and rest[:1] != "\n":
        return part, quoted.group() + rest.lstrip()
    return part, rest.lstrip()


def _best_break(text: str, lines: list[_Line], limit: int) -> int:
    """Where to cut: before a block, an item, a line, a sentence, a word; the latest place of the best kind."""
    end, room = _fitting(text, limit), _fitting(text, limit - len(_CLOSING))
    whole = _fence_to_keep(text, lines, end, limit)
    if whole:
        return whole
    breaks = _line_breaks(lines, end, room=room)
    for places, least in zip(breaks, (end // 4, end // 3, end // 2), strict=True):
        if places and places[-1] >= least:
            return places[-1]
    inside = _break_in_line(text, lines, end, room=room)
    earlier = max((place for places in breaks for place in places), default=0)
    breaks_a_whole = any(found.start() < inside < found.end() for found in _WHOLE.finditer(text))
    return earlier if earlier and breaks_a_whole else max(inside, earlier)


def _fence_to_keep(text: str, lines: list[_Line], end: int, limit: int) -> int:
    """Where the fence begins that crosses *end* but would fit a part of its own; 0 where there is none."""
    crossing = [line for line in lines if line.start - 1 <= end < line.end and line.fence is not None]
    if not crossing:
        return 0
    first = max(line.start for line in lines if line.fence is None and line.start < crossing[0].start)
    last = min(line.end for line in lines if line.closes and line.end >= crossing[0].end)
    return first if units(text[first:last]) <= limit else 0


def _line_breaks(lines: list[_Line], end: int, *, room: int) -> tuple[list[int], list[int], list[int]]:
    """The beginnings of blocks, items and other lines that a part may end before."""
    blocks: list[int] = []
    items: list[int] = []
    rows: list[int] = []
    shown = lines[0]
    for before, line in pairwise(lines):
        shown = before if before.text.strip() else shown
        if shown.end > end or not line.text.strip():
            continue
        if line.fence is not None:
            if shown.end <= room and not line.closes and before.fence is not None:
                rows.append(line.start)
        elif shown.fence is not None or not _HEADING.match(shown.text):
            is_block = before is not shown or before.closes or bool(_FENCE.match(line.text))
            kind = blocks if is_block else items if _ITEM.match(line.text) else rows
            kind.append(line.start)
    return blocks, items, rows


def _break_in_line(text: str, lines: list[_Line], end: int, *, room: int) -> int:
    """A place inside the line that crosses the limit."""
    line = max((line for line in lines if line.start < end), key=lambda line: line.start)
    if line.fence is not None:
        return _whole_sign(text, room)
    quoted = _QUOTE.match(line.text)
    # A cut at the very beginning of the line would make no way.
    least = line.start + (quoted.end() if quoted else 0) + 1
    kept = [found.span() for found in _WHOLE.finditer(text, line.start)]
    last = next((start for start, stop in kept if start < end < stop and start > least), end)
    sentence = max((found.end() for found in _SENTENCE_END.finditer(text, least, last)), default=0)
    if sentence > line.start + (last - line.start) // 2:
        return sentence
    spaces = [found.start() for found in re.finditer(r"\s", text[least:last])]
    free = [least + at for at in reversed(spaces) if not any(a < least + at < b for a, b in kept)]
    return free[0] if free else _whole_sign(text, last)


def _fitting(text: str, limit: int) -> int:
    """How many characters of *text* fit in *limit* units."""
    taken = 0
    for place, sign in enumerate(text):
        taken += 2 if ord(sign) > 0xFFFF else 1
        if taken > limit:
            return place
    return len(text)


def _whole_sign(text: str, end: int) -> int:
    """*end*, moved back so that no letter loses its accent and no emoji its parts."""
    place = end
    while 1 < place < len(text) and end - place < 16 and _clings(text[place - 1], text[place]):
        place -= 1
    return place if place > 1 and end - place < 16 else end


def _clings(before: str, sign: str) -> bool:
    is_part = bool(unicodedata.combining(sign)) or sign in _JOINERS or 0x1F3FB <= ord(sign) <= 0x1F3FF
    are_flags = all(0x1F1E6 <= ord(each) <= 0x1F1FF for each in (before, sign))
    return is_part or before in {"\u200d", "\\"} or are_flags

"""A draft cut into what can be judged one by one: sentences with the marks they carry."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from core.answering.marks import marks, renumbered, without_marks
from core.text.sentences import SpanKind, sentences

_ODD_MARK = re.compile(
    r"【(\d{1,3})[^】\n]{0,40}】"
    r"|\[\^(\d{1,3})\](?!:)"
    r"|\[((?:passage|source|rank|chunk)?\s*#?\d{1,3}(?:\s*(?:,|;|-|–|and)\s*(?:passage|source|rank)?\s*#?\d{1,3})+)\](?!\()"
    r"|\[(?:passage|source|rank|chunk)\s*#?(\d{1,3})\](?!\()"
    r"|\((?:passage|source|rank)\s*#?(\d{1,3})\)",
    re.IGNORECASE,
)
_LATE_MARK = re.compile(r"(?<=[\w)”\"'*_])([.!?])[ ]?((?:\[\d{1,3}\][ ]?)*\[\d{1,3}\])(?=\s+[^a-z\s]|\s*$)")
_CODE = re.compile(r"(```.*?(?:```|\Z)|`[^`\n]+`)", re.DOTALL)
_RANGE = re.compile(r"(\d{1,3})\s*[-–]\s*(\d{1,3})")
_STOP = re.compile(r"([.!?…:]+[\"'”’)*_]*)\s*$")
_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+")
_BLANK_LINES = re.compile(r"\n{3,}")
_EMPTY_ITEM = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]*$\n?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence, code block or table of a draft."""

    text: str
    """Without its marks."""
    marks: tuple[int, ...]
    kind: SpanKind
    start: int
    end: int
    paragraph: int
    """Claims that share it stand in one paragraph or list item."""


def with_plain_marks(text: str) -> str:
    """A draft whose marks are all written [n] before the stop, however the model wrote them. Code stays."""
    parts = _CODE.split(text)
    for index in range(0, len(parts), 2):
        parts[index] = _LATE_MARK.sub(r" \2\1", _ODD_MARK.sub(_plain_mark, parts[index]))
    return "".join(parts)


def to_claims(text: str) -> list[Claim]:
    """Everything in a draft that says something, in order."""
    found: list[Claim] = []
    paragraph, last_end = 0, 0
    for span in sentences(text):
        between = text[last_end : span.start]
        whole = span.of(text)
        if "\n\n" in between or span.kind is not SpanKind.PROSE or _ITEM.match(whole):
            paragraph += 1
        numbers = tuple(dict.fromkeys(mark.number for mark in marks(whole)))
        found.append(Claim(without_marks(whole).strip(), numbers, span.kind, span.start, span.end, paragraph))
        last_end = span.end
    return found


def rebuilt(text: str, claims: Sequence[Claim], keep: Callable[[int], Sequence[int] | None]) -> str:
    """The draft with only the claims that *keep* gives marks for; None leaves one out, [] keeps it unmarked."""
    parts: list[str] = []
    position = 0
    lost_marker = ""
    for index, claim in enumerate(claims):
        kept = keep(index)
        gap = text[position : claim.start]
        position = claim.end
        marker = _ITEM.match(text[claim.start : claim.end])
        if kept is None:
            lost_marker = marker[0] if marker else lost_marker
            parts.append(gap if "\n" in gap else "")
            continue
        parts.append(gap if parts or gap.strip() else gap.lstrip())
        is_same_item = index > 0 and claims[index - 1].paragraph == claim.paragraph
        parts.append((lost_marker if is_same_item and not marker else "") + _marked(text, claim, kept))
        lost_marker = ""
    joined = "".join(parts) + text[position:]
    return _BLANK_LINES.sub("\n\n", _EMPTY_ITEM.sub("", joined)).strip()


def _marked(text: str, claim: Claim, kept: Sequence[int]) -> str:
    whole = text[claim.start : claim.end]
    if claim.kind is SpanKind.CODE:
        return whole + "".join(f"\n[{number}]" for number in kept)
    if claim.kind is SpanKind.TABLE:
        return _marked_table(whole, kept)
    if set(claim.marks) == set(kept):
        return whole
    bare = without_marks(whole).rstrip()
    tail = "".join(f"[{number}]" for number in kept)
    if not tail:
        return bare
    stop = _STOP.search(bare)
    return f"{bare[: stop.start()]} {tail}{stop[1]}" if stop else f"{bare} {tail}"


def _marked_table(whole: str, kept: Sequence[int]) -> str:
    """A table with the marks it may keep; one that has none gets them below."""
    table = renumbered(whole, lambda number: number if number in kept else None)
    missing = [number for number in kept if f"[{number}]" not in table]
    return table + ("\n\n" + "".join(f"[{number}]" for number in missing) if missing else "")


def _plain_mark(match: re.Match[str]) -> str:
    single = match[1] or match[2] or match[4] or match[5]
    if single:
        return f"[{int(single)}]"
    spread = _RANGE.sub(lambda span: " ".join(map(str, _span(int(span[1]), int(span[2])))), match[3])
    return "".join(f"[{number}]" for number in dict.fromkeys(re.findall(r"\d{1,3}", spread)))


def _span(first: int, last: int) -> Iterable[int]:
    return range(first, last + 1) if 0 <= last - first <= 10 else (first, last)

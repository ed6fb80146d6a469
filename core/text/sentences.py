"""Sentences of a text with where they stand, for prose as well as for Markdown."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from core.text.abbreviations import ALWAYS, SOMETIMES, STARTERS


class SpanKind(StrEnum):
    """What a stretch of text is: only prose is a sentence that can be right or wrong."""

    PROSE = "prose"
    HEADING = "heading"
    CODE = "code"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text, blanks around it left out: text[start:end]."""

    start: int
    end: int
    kind: SpanKind = SpanKind.PROSE

    def of(self, text: str) -> str:
        """The stretch itself."""
        return text[self.start : self.end]


_FENCE = re.compile(r"[ >\t]{0,20}(?:[-*+][ \t]|\d{1,9}[.)][ \t])?[ \t]{0,8}(`{3,}|~{3,})")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}(?:[ \t]|$)")
_ITEM = re.compile(r"[ \t>]{0,40}(?:[-*+•]|\d{1,3}[.)]|\(?[a-z][)])[ \t]+")
_ROW = re.compile(r"[ \t>]{0,10}\|")

# A stop, what may close behind it (quotes, brackets, emphasis, footnote marks), then blank or the end.
_STOP = re.compile(
    r"(?:[.!?…؟۔।]+|\.{3})[\"'”’)\]»*_`]{0,6}(?:[ ]?\[\^?\d{1,3}(?:,[ ]?\d{1,3}){0,9}\]){0,9}(?=\s|$)"
    r"|[。！？]+[」』”）)]{0,3}"
)
_WORD_BEFORE = re.compile(r"([^\s(\[\"'“‘*_/]{1,24})$")
_WORD_AFTER = re.compile(r"[\s\"'“‘(\[*_`>]*([^\s.,;:!?)\]\"'*_`]*)")


def sentences(text: str) -> list[Span]:
    """Every sentence in order. Headings and list items are their own; a code block or table is one unit."""
    found: list[Span] = []
    is_caseless = _is_caseless(text)
    for start, end, kind in _units(text):
        if kind is SpanKind.PROSE:
            found.extend(_prose(text, start, end, is_caseless))
        else:
            found.append(Span(start, end, kind))
    return found


def _is_caseless(text: str) -> bool:
    """Text written without capitals (a lower-cased report, a chat) starts its sentences small."""
    sample = text[:4000]
    return sum(map(str.isupper, sample)) * 200 < sum(map(str.islower, sample))


def _units(text: str) -> Iterator[tuple[int, int, SpanKind]]:
    """Paragraphs, items, headings, code and tables, each without the blanks around it."""
    start, kind, fence = 0, SpanKind.PROSE, ""
    position = 0
    for line in text.splitlines(keepends=True):
        begin, position = position, position + len(line)
        if fence:
            if line.strip(" >\t\n").startswith(fence) and not line.strip(" >\t\n" + fence[0]):
                yield from _trimmed(text, start, position, SpanKind.CODE)
                start, kind, fence = position, SpanKind.PROSE, ""
            continue
        found = _kind_of(line)
        opening = _FENCE.match(line) if found is SpanKind.CODE else None
        if opening:
            yield from _trimmed(text, start, begin, kind)
            start, fence = begin, opening[1]
            continue
        if found is not kind or kind is SpanKind.HEADING or _starts_anew(line):
            yield from _trimmed(text, start, begin, kind)
            start, kind = begin, found
    yield from _trimmed(text, start, len(text), SpanKind.CODE if fence else kind)


def _kind_of(line: str) -> SpanKind:
    head = line.lstrip(" >\t")[:1]
    if head == "#" and _HEADING.match(line):
        return SpanKind.HEADING
    if head == "|" and _ROW.match(line):
        return SpanKind.TABLE
    if ("```" in line or "~~~" in line) and _FENCE.match(line) and line.rstrip().count("```") < 2:
        return SpanKind.CODE
    return SpanKind.PROSE


def _starts_anew(line: str) -> bool:
    return not line.strip(" >\t\n") or _ITEM.match(line) is not None


def _trimmed(text: str, start: int, end: int, kind: SpanKind) -> Iterator[tuple[int, int, SpanKind]]:
    while start < end and (text[start].isspace() or (text[start] == ">" and kind is SpanKind.PROSE)):
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end, kind


def _prose(text: str, start: int, end: int, is_caseless: bool) -> Iterator[Span]:
    marker = _ITEM.match(text, start, end)
    begin = start
    for stop in _STOP.finditer(text, marker.end() if marker else start, end):
        if stop.end() < end and _ends_sentence(text, begin, stop, end, is_caseless):
            yield Span(begin, stop.end())
            begin = stop.end()
            while begin < end and text[begin].isspace():
                begin += 1
    if begin < end:
        yield Span(begin, end)


def _ends_sentence(text: str, begin: int, stop: re.Match[str], end: int, is_caseless: bool) -> bool:
    mark = stop[0]
    if mark[0] in "。！？؟۔।":
        return True
    after = _WORD_AFTER.match(text, stop.end(), end)
    word = after[1] if after else ""
    if word[:1].islower() and not is_caseless:
        return False
    if mark[0] != "." or mark.startswith(".."):
        return True
    before = _WORD_BEFORE.search(text, max(begin, stop.start() - 24), stop.start())
    return before is None or _is_end(before[1], word, is_caseless)


def _is_end(before: str, after: str, is_caseless: bool) -> bool:
    """Whether a full stop between these two words ends the sentence."""
    stem = before.lower()
    looks_like_start = after.lower() in STARTERS and (is_caseless or after[:1].isupper())
    if stem in ALWAYS:
        return False
    if stem in {"no", "nr", "nos"}:
        return not after[:1].isdigit()
    is_initial = len(before) == 1 and before.isalpha() and before.isupper()
    is_dotted = re.fullmatch(r"(?:\w\.)+\w", before) is not None
    if stem in SOMETIMES or is_initial or (is_dotted and not stem.replace(".", "").isdigit()):
        return looks_like_start
    return True

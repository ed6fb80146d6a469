"""The stretches of a chunk that can be an answer: a sentence, or a list, code block or table as a whole."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from core.text.sentences import Span, SpanKind, sentences

LEAST_WORDS = 3
"""Shorter sentences ("Yes.", "Note") answer nothing when they stand alone."""
MOST_ITEM_WORDS = 60
"""A list item up to this length is quoted whole."""
_ITEM_LINE = re.compile(r"[ \t>]{0,12}(?:[-*+•]|\d{1,3}[.)])[ \t]+\S")
_WIKI_HEADING = re.compile(r"[ \t]*(?:=[ \t]?){1,6}[^=\n]+(?:=[ \t]?){1,6}\n\s*")
_INDENTED = re.compile(r"(?: {2,}|\t)\S")
_FENCE_LINE = re.compile(r"[ >\t]*(?:`{3,}|~{3,})")


class PassageKind(StrEnum):
    """What a passage is, which decides how it is shown and what it can answer."""

    SENTENCE = "sentence"
    ITEM = "item"
    LIST = "list"
    CODE = "code"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a chunk's text: *text[start:end]*."""

    start: int
    end: int
    kind: PassageKind
    before: str = ""
    """The sentence before it, which often names what it speaks of."""

    @property
    def is_block(self) -> bool:
        return self.kind not in {PassageKind.SENTENCE, PassageKind.ITEM}

    def of(self, text: str) -> str:
        return text[self.start : self.end]


def passages(text: str) -> list[Passage]:
    """Every stretch that can be an answer, in reading order.

    A list, code block or table comes with the line that leads to it ("The steps are:"), which says nothing
    alone. The items of a list are also passages of their own.
    """
    found: list[Passage] = []
    lists = list(_lists(text))
    spoken = [_below_headings(text, span) for span in sentences(text) if span.kind is not SpanKind.HEADING]
    spans = _joined(text, spoken, lists)
    for at, span in enumerate(spans):
        before = spans[at - 1] if at else None
        found += _passages(text, span, before, lists)
    return found


def _below_headings(text: str, span: Span) -> Span:
    """A sentence without the wiki headings ("== History ==") that stand on the lines right above it."""
    start = span.start
    while heading := _WIKI_HEADING.match(text, start, span.end):
        start = heading.end()
    return Span(start, span.end, span.kind)


def _joined(text: str, spans: list[Span], lists: list[Span]) -> list[Span]:
    """The sentences with those of one short list item made one, and a word in bold with what it introduces."""
    joined: list[Span] = []
    for span in spans:
        last = joined[-1] if joined else None
        if last and last.kind is span.kind is SpanKind.PROSE and _goes_on(text, last, span, lists):
            joined[-1] = Span(last.start, span.end)
        else:
            joined.append(span)
    return joined


def _goes_on(text: str, last: Span, span: Span, lists: list[Span]) -> bool:
    between = text[last.end : span.start]
    if between.strip() or between.count("\n") > 1 or _ITEM_LINE.match(text, span.start):
        return False
    if len(last.of(text).split()) < LEAST_WORDS:
        return True
    is_item = any(each.start <= last.start < each.end for each in lists)
    return is_item and len(text[last.start : span.end].split()) <= MOST_ITEM_WORDS


def _passages(text: str, span: Span, before: Span | None, lists: list[Span]) -> Iterator[Passage]:
    context = before.of(text) if before and before.kind is SpanKind.PROSE else ""
    lead = _lead(text, before, span)
    if span.kind is not SpanKind.PROSE:
        kind = PassageKind.CODE if span.kind is SpanKind.CODE else PassageKind.TABLE
        yield Passage(lead, span.end, kind, context)
        return
    whole = next((each for each in lists if each.start <= span.start < each.end), None)
    # A list that nothing leads to is a collection of remarks, unless it counts.
    if whole and whole.start == span.start and (lead < span.start or text[span.start].isdigit()):
        yield Passage(lead, whole.end, PassageKind.LIST, context)
    said = span.of(text)
    if len(said.split()) >= LEAST_WORDS and not said.endswith(":"):
        yield Passage(span.start, span.end, PassageKind.ITEM if whole else PassageKind.SENTENCE, context)


def _lead(text: str, before: Span | None, span: Span) -> int:
    """Where a block begins, counting the line that leads to it."""
    if before and before.kind is SpanKind.PROSE and before.of(text).endswith(":"):
        return before.start
    return span.start


def _lists(text: str) -> Iterator[Span]:
    """Lists of two items and more, each from its first marker to the end of its last item."""
    start, end, items, position, in_code = -1, 0, 0, 0, False
    for line in text.splitlines(keepends=True):
        begin, position = position, position + len(line)
        in_code ^= bool(_FENCE_LINE.match(line))
        is_item = _ITEM_LINE.match(line) is not None and not in_code
        if is_item and start < 0:
            start = begin + len(line) - len(line.lstrip())
        if start >= 0 and (is_item or in_code or _INDENTED.match(line) or _FENCE_LINE.match(line)):
            end, items = begin + len(line.rstrip()), items + is_item
        elif start >= 0 and line.strip():
            if items > 1:
                yield Span(start, end)
            start, items = -1, 0
    if start >= 0 and items > 1:
        yield Span(start, end)

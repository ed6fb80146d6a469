"""Divides one document of an EPUB where the table of contents leads into it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.ingestion.lesson import Block, BlockKind
from core.ingestion.readers.contents import is_part
from core.ingestion.readers.division import LONGEST_LESSON_CHARS, divide
from core.ingestion.readers.epub.contents import Entry

_NUMBER_BEFORE_TITLE = re.compile(r"(?:(?:chapter|kapitel)\s{1,5}[ivxlc\d]{1,8}|[\d.]{1,12})[.:)]?\s{1,5}")


@dataclass(frozen=True, slots=True)
class Part:
    """A run of blocks and the line of the contents that leads to it, if one does."""

    entry: Entry | None
    blocks: tuple[Block, ...]


def parts(blocks: Sequence[Block], entries: Sequence[Entry], whole: Entry | None = None) -> Iterator[Part]:
    """The document's *blocks* divided at its outermost *entries*, all of which may stand below *whole*.

    What stands below one of them divides it again if it is a part of the book, or too long for a lesson and
    without headings. Nothing is lost or moved: the parts' blocks, joined, are *blocks*.
    """
    below = _by_outermost(entries)
    for part in _cut(blocks, list(below), whole):
        inner = below.get(part.entry, []) if part.entry is not None else []
        if part.entry is not None and inner and (is_part(part.entry.title) or _is_too_long(part)):
            yield from parts(part.blocks, inner, part.entry)
        else:
            yield part


def _is_too_long(part: Part) -> bool:
    is_long = sum(len(block.text) for block in part.blocks) > LONGEST_LESSON_CHARS
    return is_long and len(divide(part.blocks)) == 1


def _by_outermost(entries: Sequence[Entry]) -> dict[Entry, list[Entry]]:
    """Each entry that stands below no other one, with those below it."""
    found: dict[Entry, list[Entry]] = {}
    last: dict[tuple[str, ...], Entry] = {}
    for entry in entries:
        above = (last.get(entry.parents[:depth]) for depth in range(1, len(entry.parents) + 1))
        outer = next((each for each in above if each is not None), None)
        if outer is not None:
            found[outer].append(entry)
            continue
        found.setdefault(entry, [])
        last[(*entry.parents, entry.title)] = entry
    return found


def _cut(blocks: Sequence[Block], entries: Sequence[Entry], whole: Entry | None) -> Iterator[Part]:
    starts = _starts(blocks, entries)
    first = whole if whole is not None else next(iter(entries), None)
    if first is not None and first not in starts.values():
        starts.setdefault(0, first)
    # What stands before the first place that the contents know goes with it.
    bounds = [0, *sorted(starts)[1:], len(blocks)]
    named: list[Entry | None] = [starts[at] for at in sorted(starts)] or [None]
    waiting = 0
    for entry, (start, end) in zip(named, pairwise(bounds), strict=True):
        is_title = all(block.kind is BlockKind.HEADING for block in blocks[start:end])
        if is_title and end < len(blocks):
            continue
        yield Part(entry, tuple(blocks[waiting:end]))
        waiting = end


def _starts(blocks: Sequence[Block], entries: Sequence[Entry]) -> dict[int, Entry]:
    """At which block each entry begins: where its element is, else where its title is."""
    anchors: dict[str, int] = {}
    titles: dict[str, list[int]] = {}
    for at, block in enumerate(blocks):
        if block.anchor is not None:
            anchors.setdefault(block.anchor, at)
        if block.kind is BlockKind.HEADING:
            for title in _forms(block.heading[-1]):
                titles.setdefault(title, []).append(at)
    starts: dict[int, Entry] = {}
    for entry in entries:
        start = anchors.get(entry.fragment) if entry.fragment is not None else 0
        titled = next((titles[title] for title in _forms(entry.title) if title in titles), [])
        # A title that stands there twice, such as "Exercises", tells nothing.
        if start is None and len(titled) == 1:
            start = titled[0]
        if start is not None:
            starts.setdefault(start, entry)
    return starts


def _forms(title: str) -> tuple[str, ...]:
    """A title as it is, and without the number that only the page or only the contents may show."""
    title = title.casefold()
    number = _NUMBER_BEFORE_TITLE.match(title)
    return (title, title[number.end() :]) if number is not None else (title,)

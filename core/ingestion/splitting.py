"""Splits a block that is too long for one chunk where it hurts least; joined, the parts are the block."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import ceil

from core.ingestion.lesson import BlockKind
from core.model.book import TOKENS_PER_WORD
from core.text.sentences import sentences

BYTES_PER_TOKEN = 5
"""Where words say little about length: code, tables, and scripts that write without blanks."""

LONGEST_RUN_CHARS = 1_000
"""Text without any blank is cut here when nothing better is left."""

_BLANK_LINE = re.compile(r"\n[ \t]*\n+")
_ITEM_START = re.compile(r"^(?:[-*+•]|\d{1,9}[.)])[ \t]", re.MULTILINE)
_NESTED_ITEM_START = re.compile(r"^[ \t]+(?:[-*+•]|\d{1,9}[.)])[ \t]", re.MULTILINE)
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t:|-]+\|?[ \t]*\n?")

Split = Callable[[str], list[str]]


def size_in_tokens(text: str) -> float:
    """About how many tokens a model would count; the contract's estimate, or more where it falls short."""
    size = len(text) if text.isascii() else len(text.encode("utf-8", errors="replace"))
    return max(len(text.split()) * TOKENS_PER_WORD, size / BYTES_PER_TOKEN)


def split_text(text: str, kind: BlockKind, *, most_tokens: float) -> list[str]:
    """Parts of at most *most_tokens* each, of similar size, cut at the outermost seam that is fine enough."""
    return _split(text, _SEAMS.get(kind, _PROSE_SEAMS), most_tokens)


def balanced(sizes: Sequence[float], *, target: float, most: float) -> Iterator[tuple[int, int]]:
    """Runs of neighbours, each about as large as the others, near *target* and not above *most* where possible."""
    total = sum(sizes)
    goal = total / max(1, ceil(total / target))
    start, held = 0, 0.0
    for position, size in enumerate(sizes):
        is_full = held + size / 2 > goal or held + size > most
        if position > start and is_full:
            yield start, position
            start, held = position, 0.0
        held += size
    if start < len(sizes):
        yield start, len(sizes)


def _split(text: str, seams: Sequence[Split], most: float) -> list[str]:
    if size_in_tokens(text) <= most or not seams:
        return [text]
    parts = seams[0](text)
    if len(parts) == 1:
        return _split(text, seams[1:], most)
    fine = [piece for part in parts for piece in _split(part, seams[1:], most)]
    sizes = [size_in_tokens(part) for part in fine]
    return ["".join(fine[start:end]) for start, end in balanced(sizes, target=most, most=most)]


def _at(text: str, cuts: Sequence[int]) -> list[str]:
    """The text cut at these positions."""
    bounds = [0, *sorted({cut for cut in cuts if 0 < cut < len(text)}), len(text)]
    parts = [text[start:end] for start, end in pairwise(bounds)]
    return [part for part in parts if part]


def _paragraphs(text: str) -> list[str]:
    return _at(text, [gap.end() for gap in _BLANK_LINE.finditer(text)])


def _items(text: str) -> list[str]:
    return _at(text, [item.start() for item in _ITEM_START.finditer(text)])


def _nested_items(text: str) -> list[str]:
    return _at(text, [item.start() for item in _NESTED_ITEM_START.finditer(text)])


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _rows(text: str) -> list[str]:
    """Table rows, the head and the rule under it together with the first row."""
    lines = _lines(text)
    head = 0
    while head < min(len(lines) - 1, 4) and not _TABLE_RULE.fullmatch(lines[head]):
        head += 1
    if not _TABLE_RULE.fullmatch(lines[head]):
        return lines
    return ["".join(lines[: head + 2]), *lines[head + 2 :]]


def _sentences(text: str) -> list[str]:
    return _at(text, [span.start for span in sentences(text)])


def _words(text: str) -> list[str]:
    return _at(text, [gap.end() for gap in re.finditer(r"\s+", text)])


def _runs(text: str) -> list[str]:
    return [text[at : at + LONGEST_RUN_CHARS] for at in range(0, len(text), LONGEST_RUN_CHARS)]


_PROSE_SEAMS: tuple[Split, ...] = (_paragraphs, _sentences, _lines, _words, _runs)
_SEAMS: dict[BlockKind, tuple[Split, ...]] = {
    BlockKind.CODE: (_paragraphs, _lines, _words, _runs),
    BlockKind.FORMULA: (_lines, _words, _runs),
    BlockKind.TABLE: (_rows, _words, _runs),
    BlockKind.LIST: (_items, _nested_items, *_PROSE_SEAMS),
}

"""The marks [n] that tie a sentence to a chunk: where they stand, and where brackets are something else."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_CODE = re.compile(r"(?P<fence>`{3,}|~{3,}).*?(?:(?P=fence)|\Z)|(?P<tick>`{1,2})[^`\n]+(?P=tick)", re.DOTALL)
_MARK = re.compile(r"[ \t]?\[(\d{1,3})\](?!\()")


@dataclass(frozen=True, slots=True)
class Mark:
    """One mark in a text: text[start:end] with the blank before it."""

    number: int
    start: int
    end: int


def marks(text: str) -> list[Mark]:
    """Every mark in reading order. Brackets inside code and links are left alone."""
    found = []
    for start, end in _outside_code(text):
        found += [Mark(int(m[1]), m.start(), m.end()) for m in _MARK.finditer(text, start, end)]
    return found


def without_marks(text: str) -> str:
    """The text with every mark taken out."""
    return renumbered(text, lambda number: None)


def renumbered(text: str, to_number: Callable[[int], int | None]) -> str:
    """The text with each mark's number replaced; None takes the mark out with the blank before it."""
    parts: list[str] = []
    position = 0
    for mark in marks(text):
        number = to_number(mark.number)
        parts.append(text[position : mark.start])
        if number is not None:
            blank = " " if text[mark.start].isspace() else ""
            parts.append(f"{blank}[{number}]")
        position = mark.end
    return "".join(parts) + text[position:]


def _outside_code(text: str) -> Iterator[tuple[int, int]]:
    position = 0
    for code in _CODE.finditer(text):
        yield position, code.start()
        position = code.end()
    yield position, len(text)

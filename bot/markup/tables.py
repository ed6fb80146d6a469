"""A table as aligned columns for a code block, or as records where it is too wide for a phone."""

import unicodedata
from collections.abc import Sequence

from bot.markup.tree import Align

MAX_TABLE_WIDTH = 76
"""Wider lines wrap in a chat's code block, and a wrapped table cannot be read."""


def shown_width(text: str) -> int:
    """How many columns *text* takes in a fixed-width font."""
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in text
    )


def aligned(header: Sequence[str], rows: Sequence[Sequence[str]], alignments: Sequence[Align]) -> str | None:
    """The table with its columns lined up; None where it is too wide to be read so."""
    lines = [list(header), *([*row, *[""] * (len(header) - len(row))] for row in rows)]
    widths = [max(shown_width(line[column]) for line in lines) for column in range(len(header))]
    if sum(widths) + 3 * (len(widths) - 1) > MAX_TABLE_WIDTH:
        return None
    written = [
        " │ ".join(_padded(*each) for each in zip(line, widths, alignments, strict=False)) for line in lines
    ]
    written.insert(1, "─┼─".join("─" * width for width in widths))
    return "\n".join(line.rstrip() for line in written)


def _padded(text: str, width: int, align: Align) -> str:
    missing = width - shown_width(text)
    if align is Align.RIGHT:
        return " " * missing + text
    left = missing // 2 if align is Align.CENTER else 0
    return " " * left + text + " " * (missing - left)

"""Finds the footnotes at the foot of a PDF page, so that they do not tear the paragraph they interrupt."""

import re
from collections.abc import Sequence
from statistics import median

from core.ingestion.readers.pdf.glyphs import Line

SMALLER = 0.95
"""Footnotes are set in type at most this many times the size of the page's running text."""

NOTE_MARK = re.compile(r"(?:\d{1,3}|[*†‡§¶])\s*[A-Za-z“\"‘'(]")


def first_note(lines: Sequence[Line]) -> int:
    """Where the footnotes of a page begin; the number of its lines where it has none."""
    if not lines:
        return 0
    body = median(line.size for line in lines for _ in range(max(1, len(line.text) // 10)))
    start = len(lines)
    while start > 0 and lines[start - 1].size <= body * SMALLER and not lines[start - 1].is_code:
        start -= 1
    marked = (at for at in range(start, len(lines)) if NOTE_MARK.match(lines[at].text))
    return next(marked, len(lines))

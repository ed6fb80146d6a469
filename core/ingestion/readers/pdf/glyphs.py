"""The letters of one PDF page → lines with their places, a line ending where the page leaves a wide gap."""

import ctypes
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pypdfium2 import raw

GAP_EMS = 1.6
"""A wider gap inside a line is the space between two columns, or between two cells of a table."""

LINE_HYPHENS = frozenset({0xFFFE, 0x02, 0xAD})
"""What PDFium gives for a hyphen that only divides a word at the end of a line."""

HYPHEN = "\u00ad"
"""Stands where a word was divided at the end of a line."""

_BREAKS = frozenset({0x0D, 0x0A})
_BLANKS = frozenset({0x20, 0xA0, 0x09})
_MONOSPACED = re.compile(
    r"mono|courier|consol|typewriter|CMTT|SFTT|LMMono|tt\d|fixed|menlo|inconsolata", re.IGNORECASE
)
_LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "\u00a0": " "}
)


@dataclass(frozen=True, slots=True)
class Line:
    """A stretch of text on one line. Heights are measured from the foot of the page."""

    text: str
    left: float
    right: float
    top: float
    bottom: float
    """Below its last letter: a line whose last word was divided goes on to the end of that word's line."""
    size: float
    """The height of its type."""
    is_code: bool = False
    """Whether it is set in a typewriter face."""

    @property
    def first_bottom(self) -> float:
        """Below its first letter."""
        return self.top - self.size


class Glyphs:
    """Reads a text page letter by letter."""

    def __init__(self, text: Any, *, most: int) -> None:
        self._text = text
        self._codes = [raw.FPDFText_GetUnicode(text, at) for at in range(min(text.count_chars(), most))]
        self._corners = [ctypes.c_double() for _ in range(4)]
        self._loose = raw.FS_RECTF()

    def lines(self) -> Iterator[Line]:
        """The page's lines in the order it draws them."""
        start = 0
        for at in range(len(self._codes) + 1):
            code = self._codes[at] if at < len(self._codes) else 0x0A
            if code in _BREAKS or (code in _BLANKS and self._is_gap(start, at)):
                yield from self._line(start, at)
                start = at + 1

    def _is_gap(self, start: int, at: int) -> bool:
        """Whether the blank at *at* is as wide as the space between columns."""
        if at <= start or at + 1 >= len(self._codes):
            return False
        before, after = self._codes[at - 1], self._codes[at + 1]
        if before in _BLANKS or after in _BLANKS or after in _BREAKS:
            return False
        gap = self._box(at + 1)[0] - self._box(at - 1)[1]
        return gap > GAP_EMS * self._height(at - 1)

    def _line(self, start: int, end: int) -> Iterator[Line]:
        while start < end and self._codes[start] in _BLANKS:
            start += 1
        while end > start and self._codes[end - 1] in _BLANKS:
            end -= 1
        words = _decoded(self._codes[start:end])
        if not words.strip():
            return
        last = end - 2 if self._codes[end - 1] in LINE_HYPHENS and end - start > 1 else end - 1
        left, right = self._box(start)[0], self._box(last)[1]
        # The first letter alone may be a raised footnote mark or a word of code.
        samples = {start, (start + last) // 2, last}
        size = max(map(self._height, samples))
        is_code = all(map(self._is_monospaced, samples))
        top, bottom = self._bottom(start) + size, self._bottom(last)
        yield Line(words, left, max(left, right), top, min(bottom, top - size / 2), size, is_code)

    def _box(self, at: int) -> tuple[float, float, float, float]:
        raw.FPDFText_GetCharBox(self._text, at, *self._corners)
        left, right, bottom, top = (corner.value for corner in self._corners)
        return left, right, bottom, top

    def _bottom(self, at: int) -> float:
        if raw.FPDFText_GetLooseCharBox(self._text, at, self._loose):
            return float(self._loose.bottom)
        return self._box(at)[2]

    def _height(self, at: int) -> float:
        if raw.FPDFText_GetLooseCharBox(self._text, at, self._loose):
            height = self._loose.top - self._loose.bottom
            if height > 0:
                return float(height)
        return 10.0

    def _is_monospaced(self, at: int) -> bool:
        name = ctypes.create_string_buffer(128)
        raw.FPDFText_GetFontInfo(self._text, at, name, 128, None)
        return _MONOSPACED.search(name.value.decode("latin-1")) is not None


def _decoded(codes: list[int]) -> str:
    letters = "".join(HYPHEN if code in LINE_HYPHENS else chr(code) for code in codes if code)
    if any(0xD800 <= code < 0xE000 for code in codes):
        letters = letters.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return letters.translate(_LIGATURES)

"""Bytes of a text file → the text a person would read, with what had to be repaired."""

import codecs
import re
from dataclasses import dataclass

from core.errors import UnreadableFile
from core.ingestion.lesson import SourceFile

MAX_TEXT_BYTES = 32_000_000
"""Far above any written lesson; a larger file is a dump, and would hold up everybody else."""

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

# Zero-width characters, direction overrides and tag characters: a person does not see them, a model
# does, so they are used to hide text. The joiners U+200C and U+200D and the emoji mark U+FE0F stay: Persian
# and emoji need them.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
# Control characters other than tab and newline; NUL among them, which SQLite cannot search past.
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_LINE_ENDS = re.compile("\r\n?|\u0085|\u2028|\u2029")

MAX_BINARY_SHARE = 0.05
"""Above this share of control or undecodable bytes nobody wrote the file as text."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text with plain line ends, and one sentence for each repair."""

    text: str
    warnings: tuple[str, ...] = ()


def read_text(source: SourceFile) -> Decoded:
    """The text of a file.

    Raises:
        UnreadableFile: it cannot be opened, is too large, or is not text.
    """
    return decode(read_bytes(source, most_bytes=MAX_TEXT_BYTES), name=source.path)


def read_bytes(source: SourceFile, *, most_bytes: int) -> bytes:
    """All of a file, unless it is larger than *most_bytes*.

    Raises:
        UnreadableFile: it cannot be opened, or is too large.
    """
    try:
        with source.absolute.open("rb") as file:
            raw = file.read(most_bytes + 1)
    except OSError as error:
        raise UnreadableFile(f"{source.path} cannot be opened: {error.strerror or error}.") from error
    if len(raw) > most_bytes:
        raise UnreadableFile(f"{source.path} is larger than {most_bytes // 1_000_000} MB; split it into lessons.")
    return raw


def decode(raw: bytes, *, name: str) -> Decoded:
    """The text in *raw*, which the file *name* holds.

    Raises:
        UnreadableFile: it is not text.
    """
    text, warnings = _decoded(raw)
    bad = len(_CONTROLS.findall(text)) + text.count("\ufffd")
    if bad > max(8, len(text) * MAX_BINARY_SHARE):
        raise UnreadableFile(f"{name} is not a text file, whatever its name says.")
    return Decoded(tidy(text), warnings)


def tidy(text: str) -> str:
    """The same text with plain line ends and without characters a reader cannot see."""
    if "\r" in text or not text.isascii():
        text = _LINE_ENDS.sub("\n", text)
    text = _CONTROLS.sub("", text)
    return text if text.isascii() else _INVISIBLE.sub("", text)


def _decoded(raw: bytes) -> tuple[str, tuple[str, ...]]:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if raw.startswith(mark):
            return raw[len(mark) :].decode(encoding, errors="replace"), ()
    try:
        return raw.decode("utf-8"), ()
    except UnicodeDecodeError:
        text = raw.decode("utf-8", errors="replace")
        lost = text.count("\ufffd")
        return text, (f"The file is not clean UTF-8; {lost} unreadable characters are shown as \ufffd.",)

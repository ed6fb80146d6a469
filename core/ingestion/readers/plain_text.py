"""Plain text files → lessons: paragraphs, with headings where lines are underlined or call themselves chapters."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from core.errors import UnreadableFile
from core.ingestion.lesson import Block, BlockKind, Lesson, SourceFile
from core.ingestion.readers.anchors import Anchors
from core.ingestion.readers.blocks import BlockBuilder
from core.ingestion.readers.decoding import read_text
from core.ingestion.readers.dividing import divided
from core.ingestion.readers.numbering import readable

SUFFIXES = (".txt", ".text", ".rst")

_UNDERLINE = re.compile(r"([=~*^\"#+-])\1{2,}")
_CHAPTER = re.compile(
    r"(?:chapter|part|book|section|lesson|appendix)\s+(?:\d{1,4}|[ivxlcdm]{1,8}|[a-z])\b.{0,80}", re.I
)
_ITEM = re.compile(r"\s{0,8}(?:[-*+•]|\d{1,3}[.)])\s+\S")
_MAX_TITLE_CHARS = 120


def read(source: SourceFile) -> list[Lesson]:
    """The lesson in a text file; several where one file holds a whole book.

    Raises:
        UnreadableFile: it cannot be opened, is not text, or says nothing.
    """
    decoded = read_text(source)
    blocks = text_blocks(decoded.text)
    if not blocks:
        raise UnreadableFile(f"{source.path} has no text.")
    lesson = Lesson(
        source_file=source.path,
        title=source.title or _title(blocks) or readable(PurePosixPath(source.path).stem),
        blocks=blocks,
        place=source.place,
        breadcrumb=source.breadcrumb,
        slug=source.path,
        order=source.order_of(0),
        warnings=decoded.warnings,
        address=source.address,
    )
    return divided(lesson)


def text_blocks(text: str) -> tuple[Block, ...]:
    """Paragraphs under the headings that plain text can show."""
    builder, anchors = BlockBuilder(), Anchors()
    levels: dict[str, int] = {}
    for paragraph in _paragraphs(text):
        title, level, rest = _heading(paragraph, levels)
        if title:
            builder.heading(level, title, anchor=anchors.of(title))
        if rest:
            builder.add(_kind(rest), "\n".join(rest))
    return builder.build()


def _paragraphs(text: str) -> Iterator[list[str]]:
    lines: list[str] = []
    for line in text.split("\n"):
        if line.strip():
            lines.append(line.rstrip())
            continue
        if lines:
            yield lines
        lines = []
    if lines:
        yield lines


def _heading(lines: list[str], levels: dict[str, int]) -> tuple[str, int, list[str]]:
    """A paragraph's heading and level, empty where it has none, and the lines after it."""
    if len(lines) > 2 and _UNDERLINE.fullmatch(lines[0].strip()) and lines[2].strip() == lines[0].strip():
        lines = lines[1:]
    title = lines[0].strip()
    mark = _UNDERLINE.fullmatch(lines[1].strip()) if len(lines) > 1 else None
    if mark and len(title) <= _MAX_TITLE_CHARS and len(mark[0]) * 2 >= len(title):
        # Each kind of line stands for one level, in the order in which they first appear.
        return title, levels.setdefault(mark[1], len(levels) + 1), lines[2:]
    if len(lines) == 1 and len(title) <= _MAX_TITLE_CHARS and _CHAPTER.fullmatch(title) and title[-1] not in ".,;":
        return title, 1, []
    return "", 0, lines


def _kind(lines: list[str]) -> BlockKind:
    return BlockKind.LIST if _ITEM.match(lines[0]) else BlockKind.PARAGRAPH


def _title(blocks: tuple[Block, ...]) -> str:
    return next((block.heading[0] for block in blocks[:3] if block.kind is BlockKind.HEADING), "")

"""Collects a lesson's blocks in reading order, keeping the headings they stand under."""

from core.ingestion.lesson import Block, BlockKind
from core.ingestion.readers.decoding import tidy

MAX_HEADING_LEVEL = 6
"""Markdown has no deeper heading."""

MAX_HEADING_CHARS = 300
"""A longer heading is a paragraph in large type."""


class BlockBuilder:
    """Takes blocks as they are read; gives them back with their heading paths and spacing."""

    def __init__(self) -> None:
        self._blocks: list[Block] = []
        self._headings: list[tuple[int, str]] = []
        self._anchor: str | None = None

    @property
    def path(self) -> tuple[str, ...]:
        """The headings in force, outermost first."""
        return tuple(title for _, title in self._headings)

    def heading(self, level: int, title: str, *, anchor: str | None = None, shown: str | None = None) -> None:
        """Open a section. *shown* is the title with its markup, where it has any."""
        level = min(max(level, 1), MAX_HEADING_LEVEL)
        title = tidy(title)
        if len(title) > MAX_HEADING_CHARS:
            self.add(BlockKind.PARAGRAPH, shown or title, anchor=anchor)
            return
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        self._headings.append((level, title))
        self._anchor = anchor or self._anchor
        self._append(BlockKind.HEADING, f"{'#' * level} {shown or title}", self._anchor)

    def add(self, kind: BlockKind, text: str, *, anchor: str | None = None) -> None:
        """Add a block under the headings in force; a block of blanks is left out."""
        if text.strip():
            self._append(kind, text.strip("\n"), anchor or self._anchor)

    def build(self) -> tuple[Block, ...]:
        """The blocks so far, one blank line between each two."""
        return tuple(self._blocks)

    def _append(self, kind: BlockKind, text: str, anchor: str | None) -> None:
        self._blocks.append(Block(kind=kind, text=tidy(text) + "\n\n", heading=self.path, anchor=anchor))


def heading_level(block: Block) -> int | None:
    """How deep a heading is, 1 being the outermost; None for any other block."""
    if block.kind is not BlockKind.HEADING:
        return None
    return len(block.text) - len(block.text.lstrip("#"))

"""Divides the blocks of a whole book into lessons a reader could finish in one sitting."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.ingestion.lesson import Block, BlockKind
from core.ingestion.readers.blocks import MAX_HEADING_LEVEL, heading_level

LONGEST_LESSON_CHARS = 40_000
"""About twenty printed pages; a longer stretch is divided where it has headings."""

SHORTEST_LESSON_CHARS = 200
"""A shorter stretch, such as a chapter's title alone, goes with the lesson after it."""


@dataclass(frozen=True, slots=True)
class Division:
    """A run of blocks that makes one lesson."""

    blocks: tuple[Block, ...]

    @property
    def chars(self) -> int:
        return sum(len(block.text) for block in self.blocks)

    @property
    def path(self) -> tuple[str, ...]:
        """The headings its first heading stands under, itself included; empty when it has none."""
        return next((block.heading for block in self.blocks if block.kind is BlockKind.HEADING), ())

    @property
    def anchor(self) -> str | None:
        return self.blocks[0].anchor


def divide(blocks: Sequence[Block], *, longest_chars: int = LONGEST_LESSON_CHARS) -> list[Division]:
    """Cut at the outermost headings, then deeper wherever a piece is still too long.

    Nothing is lost or moved: the divisions' blocks, joined, are *blocks*.
    """
    whole = Division(tuple(blocks))
    if not whole.blocks:
        return []
    return _merge_short(_divide(whole, longest_chars, level=1))


def _divide(whole: Division, longest_chars: int, level: int) -> list[Division]:
    if whole.chars <= longest_chars:
        return [whole]
    for depth in range(level, MAX_HEADING_LEVEL + 1):
        pieces = _cut_at(whole, depth)
        if len(pieces) > 1:
            return [part for piece in pieces for part in _divide(piece, longest_chars, depth + 1)]
    return [whole]


def _cut_at(whole: Division, level: int) -> list[Division]:
    pieces: list[list[Block]] = [[]]
    for block in whole.blocks:
        if heading_level(block) == level and pieces[-1]:
            pieces.append([])
        pieces[-1].append(block)
    return [Division(tuple(piece)) for piece in pieces]


def _merge_short(pieces: list[Division]) -> list[Division]:
    merged: list[Division] = []
    waiting: tuple[Block, ...] = ()
    for piece in pieces:
        joined = Division(waiting + piece.blocks)
        if joined.chars < SHORTEST_LESSON_CHARS:
            waiting = joined.blocks
            continue
        merged.append(joined)
        waiting = ()
    if waiting:
        last = merged.pop() if merged else Division(())
        merged.append(Division(last.blocks + waiting))
    return merged

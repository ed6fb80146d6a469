"""Cuts a lesson into pieces for finding and quoting, along its headings and paragraphs."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.ingestion.lesson import Block, BlockKind, Lesson
from core.ingestion.splitting import balanced, size_in_tokens, split_text
from core.model.limits import MIN_CHUNK_CHARS

TARGET_TOKENS = 400
"""What a piece aims at: the contract's size."""

MAX_TOKENS = 520
"""A section up to this size stays whole."""

MAX_BLOCK_TOKENS = 460
"""A block above this size is split; below it, it fits into a piece together with its heading."""

SMALL_TOKENS = 120
"""A smaller section says too little alone and goes with its nearest neighbour."""

TINY_TOKENS = 40
"""A sentence or two: better in a piece that is a little too long than alone."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a lesson, exactly as it stands there."""

    text: str
    heading: tuple[str, ...]
    """The headings above its first words, outermost first."""
    anchor: str | None


@dataclass(frozen=True, slots=True)
class _Part:
    """A block, or as much of it as fits."""

    text: str
    block: Block
    tokens: float

    @property
    def is_heading(self) -> bool:
        return self.block.kind is BlockKind.HEADING

    @property
    def leads_on(self) -> bool:
        """Whether what follows belongs to it: a heading, or "for example:"."""
        return self.is_heading or (self.block.kind is BlockKind.PARAGRAPH and self.text.rstrip().endswith(":"))


@dataclass(frozen=True, slots=True)
class _Run:
    """Neighbouring parts that will be one piece."""

    parts: tuple[_Part, ...]
    tokens: float

    @property
    def first(self) -> Block:
        """The block that names the run: its first one that is more than a heading."""
        return next((part.block for part in self.parts if not part.is_heading), self.parts[-1].block)

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts)

    @property
    def is_small(self) -> bool:
        return self.tokens < SMALL_TOKENS

    @property
    def is_too_short(self) -> bool:
        return len(self.text.strip()) < MIN_CHUNK_CHARS


def cut(lesson: Lesson) -> list[Piece]:
    """The lesson's pieces in order. Nothing is lost or repeated: their texts, joined, are the lesson's text."""
    runs = [run for section in _sections(_parts(lesson.blocks)) for run in _cut_section(section)]
    pieces = _merge_small(runs)
    return [Piece(run.text, run.first.heading, run.first.anchor) for run in pieces]


def _parts(blocks: Sequence[Block]) -> list[_Part]:
    return [
        _Part(text, block, size_in_tokens(text))
        for block in blocks
        for text in split_text(block.text, block.kind, most_tokens=MAX_BLOCK_TOKENS)
        if text
    ]


def _sections(parts: Sequence[_Part]) -> list[list[_Part]]:
    """Parts under one heading; a heading without words of its own goes with the next."""
    sections: list[list[_Part]] = []
    for part in parts:
        if not sections or (part.is_heading and not sections[-1][-1].is_heading):
            sections.append([])
        sections[-1].append(part)
    return sections


def _cut_section(section: Sequence[_Part]) -> list[_Run]:
    whole = _run(section)
    if whole.tokens <= MAX_TOKENS:
        return [whole]
    bound = _bound(section)
    sizes = [run.tokens for run in bound]
    return [
        _run([part for run in bound[start:end] for part in run.parts])
        for start, end in balanced(sizes, target=TARGET_TOKENS, most=MAX_TOKENS)
    ]


def _bound(section: Sequence[_Part]) -> list[_Run]:
    """Parts that must not be torn apart, joined where the whole still fits."""
    bound: list[_Run] = []
    for part in section:
        last = bound[-1] if bound else None
        if last is not None and last.parts[-1].leads_on and last.tokens + part.tokens <= MAX_TOKENS:
            bound[-1] = _run([*last.parts, part])
        else:
            bound.append(_run([part]))
    return bound


def _merge_small(runs: list[_Run]) -> list[_Run]:
    merged = list(runs)
    position = 0
    while position < len(merged):
        partner = _partner(merged, position)
        if partner is None:
            position += 1
            continue
        first = min(position, partner)
        merged[first : first + 2] = [_run([*merged[first].parts, *merged[first + 1].parts])]
        position = first
    return merged


def _partner(runs: Sequence[_Run], position: int) -> int | None:
    """Which neighbour a small run goes with: the one whose headings it shares most, of those that it fits with.

    One that is too short to stand alone goes with any.
    """
    run = runs[position]
    # A run of nothing but blanks is too short, and may be large.
    if not run.is_small and not run.is_too_short:
        return None
    neighbours = [at for at in (position - 1, position + 1) if 0 <= at < len(runs)]
    fitting = [at for at in neighbours if _fit(runs[at], run)]
    candidates = fitting or (neighbours if run.is_too_short else [])
    return max(candidates, key=lambda at: _shared(runs[at], run), default=None)


def _fit(one: _Run, small: _Run) -> bool:
    belongs = small.tokens < TINY_TOKENS or one.first.heading == small.first.heading
    return one.tokens + small.tokens <= (MAX_TOKENS if belongs else TARGET_TOKENS)


def _shared(one: _Run, other: _Run) -> int:
    """How many headings two runs stand under together."""
    count = 0
    for mine, theirs in zip(one.first.heading, other.first.heading, strict=False):
        if mine != theirs:
            break
        count += 1
    return count


def _run(parts: Sequence[_Part]) -> _Run:
    return _Run(tuple(parts), sum(part.tokens for part in parts))

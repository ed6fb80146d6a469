"""Chunks that say again what a better one says: an exercise in two lessons, a table on every page of a report."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from core.model import Chunk

REPEATED_SHARE = 0.6
"""From this share of its letters on, a chunk repeats another one."""
LOSS = 2.0
"""What it loses then, in deviations of the score: others come first, and where there are none it still does."""


def repeats_behind(chunks: Sequence[Chunk], scores: Mapping[str, float]) -> list[tuple[Chunk, float]]:
    """The chunks, which come best first, each with its score, those that repeat a better one behind."""
    told_in: dict[str, list[int]] = defaultdict(list)
    scored: list[tuple[Chunk, float]] = []
    for number, chunk in enumerate(chunks):
        said = {piece: len(piece) for piece in chunk.text.replace(". ", ".\n").splitlines()}
        shared: dict[int, int] = defaultdict(int)
        for piece, letters in said.items():
            for other in told_in[piece]:
                shared[other] += letters
        repeats = max(shared.values(), default=0) >= REPEATED_SHARE * sum(said.values())
        scored.append((chunk, scores[chunk.id] - (LOSS if repeats else 0.0)))
        if not repeats:
            for piece in said:
                told_in[piece].append(number)
    return sorted(scored, key=lambda pair: -pair[1])

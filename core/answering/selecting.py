"""Which of the passages found make up an answer that only quotes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.model import Findings, FoundChunk, FoundSentence
from core.retrieval.likeness import likeness

MOST_SENTENCES = 3
MARGIN = 3.0
"""How far below the best passage another may be and still belong to the answer, in the reranker's points."""
SAME = 0.7
"""Two passages with so much in common say the same; the second adds nothing."""
ECHO = 0.8
"""A passage that has so much in common with the question is the question, not its answer."""


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a chunk as they stand there, and the chunk's place among those found."""

    found: FoundChunk
    number: int
    sentence: FoundSentence

    @property
    def text(self) -> str:
        return self.found.chunk.text[self.sentence.start : self.sentence.end]

    @property
    def place(self) -> tuple[str, str, int, int, int, int]:
        """Where it stands in its book, to be sorted by."""
        chunk = self.found.chunk
        where = chunk.place
        return (where.book, where.module, where.chapter, where.lesson, chunk.index, self.sentence.start)


def select(findings: Findings) -> list[Quote]:
    """One to three passages that answer best, in reading order; none where nothing was found."""
    numbers = {found.chunk.id: number for number, found in enumerate(findings.chunks, 1)}
    chosen: list[Quote] = []
    for sentence in findings.sentences:
        if chosen and sentence.score < chosen[0].sentence.score - MARGIN:
            break
        number = numbers[sentence.chunk_id]
        quote = Quote(findings.chunks[number - 1], number, sentence)
        if not _is_echo(quote, findings.query) and not _is_said(quote, chosen):
            chosen.append(quote)
        # A list or a piece of code is an answer by itself; sentences around it would blur it.
        if len(chosen) == MOST_SENTENCES or (chosen and chosen[0].sentence.is_block):
            break
    return sorted(chosen, key=lambda quote: quote.place)


def joined(quotes: Sequence[Quote]) -> list[Quote]:
    """The quotes with those that follow each other in one chunk made one."""
    runs: list[Quote] = []
    for quote in quotes:
        last = runs[-1] if runs else None
        if last and _follows(last, quote):
            whole = replace(last.sentence, end=quote.sentence.end)
            runs[-1] = replace(last, sentence=whole)
        else:
            runs.append(quote)
    return runs


def _follows(one: Quote, other: Quote) -> bool:
    if one.number != other.number or one.sentence.is_block or other.sentence.is_block:
        return False
    between = one.found.chunk.text[one.sentence.end : other.sentence.start]
    return not between.strip() and "\n\n" not in between


def _is_echo(quote: Quote, query: str) -> bool:
    return quote.text.rstrip().endswith("?") or likeness(quote.text, query) >= ECHO


def _is_said(quote: Quote, chosen: Sequence[Quote]) -> bool:
    return any(
        likeness(quote.text, other.text) >= SAME
        or (quote.number == other.number and _overlap(quote.sentence, other.sentence))
        for other in chosen
    )


def _overlap(one: FoundSentence, other: FoundSentence) -> bool:
    return one.start < other.end and other.start < one.end

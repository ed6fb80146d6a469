"""Which of the passages found make up an answer that only quotes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.answering.listings import is_beside_writing, listing_after, wants_listing
from core.answering.pointing import points_back
from core.model import Findings, FoundChunk, FoundSentence
from core.retrieval.likeness import likeness, repeats, word_set
from core.text.sentences import SpanKind, sentences

MOST_SENTENCES = 3
MARGIN = 4.0
"""How far below the best passage another one may be and still belong to the answer, in the reranker's points."""
CLOSENESS = 2.0
"""What a passage gains that stands beside a chosen one in its paragraph: together they read as one text."""
POINTING_PENALTY = 0.8
"""What a sentence loses that needs another one to be understood."""
BESIDE_PENALTY = 3.0
"""What commands lose for who asks how something is written, in the reranker's points: they run it."""
ECHO = 0.8
"""A passage that has so much in common with the question is the question, not its answer."""
GAP_CHARS = 320
"""What stands between two chosen sentences of a paragraph comes too, up to about two sentences."""


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
    def merit(self) -> float:
        """How well it answers on its own, without what it may point at."""
        return self.sentence.score - (POINTING_PENALTY if points_back(self.text) else 0.0)

    @property
    def place(self) -> tuple[str, str, int, int, int, int]:
        """Where it stands in its book, to be sorted by."""
        chunk = self.found.chunk
        where = chunk.place
        return (where.book, where.module, where.chapter, where.lesson, chunk.index, self.sentence.start)


def select(findings: Findings, *, said: str = "") -> list[Quote]:
    """One to three passages that answer best, in reading order; none where nothing was found.

    What was *said* in the last answer is not said again, unless there is nothing else. Who asks how something is
    written also gets the code that shows it.
    """
    numbers = {found.chunk.id: number for number, found in enumerate(findings.chunks, 1)}
    chosen: list[Quote] = []
    left = [
        Quote(findings.chunks[numbers[each.chunk_id] - 1], numbers[each.chunk_id], each)
        for each in _fresh(findings, said) or findings.sentences
    ]
    # A list or a piece of code is an answer by itself; sentences around it would blur it.
    while left and len(chosen) < MOST_SENTENCES and not (chosen and chosen[0].sentence.is_block):
        quote = max(left, key=lambda each: _merit(each, chosen, findings.query))
        left.remove(quote)
        if not _is_echo(quote, findings.query) and _belongs(quote, chosen):
            chosen.append(_with_antecedent(quote))
    if chosen and wants_listing(findings.query) and (listing := _listing(chosen[0])):
        # What other passages say would stand between what is said and what is shown, or behind it.
        chosen = [quote for quote in chosen if quote.number == chosen[0].number] + listing
    return sorted(chosen, key=lambda quote: quote.place)


def joined(quotes: Sequence[Quote]) -> list[Quote]:
    """The quotes with those that stand close together in one paragraph made one, and nothing left out between."""
    runs: list[Quote] = []
    for quote in quotes:
        last = runs[-1] if runs else None
        if last and _are_close(last, quote):
            whole = replace(last.sentence, end=quote.sentence.end)
            runs[-1] = replace(last, sentence=whole)
        else:
            runs.append(quote)
    return runs


def _listing(best: Quote) -> list[Quote]:
    """The code below the best passage, unless that is a block itself."""
    span = None if best.sentence.is_block else listing_after(best.found.chunk.text, best.sentence.end)
    if span is None:
        return []
    return [replace(best, sentence=replace(best.sentence, start=span.start, end=span.end, is_block=True))]


def _merit(quote: Quote, chosen: Sequence[Quote], question: str) -> float:
    """How well a passage answers, as the next one to those that were chosen."""
    is_beside = quote.sentence.is_block and is_beside_writing(question, quote.text)
    return quote.merit + _closeness(quote, chosen) - (BESIDE_PENALTY if is_beside else 0.0)


def _closeness(quote: Quote, chosen: Sequence[Quote]) -> float:
    return CLOSENESS if any(_are_close(quote, other) for other in chosen) else 0.0


def _belongs(quote: Quote, chosen: Sequence[Quote]) -> bool:
    """Whether a passage adds to what was chosen: close to the best, and not said yet."""
    if not chosen:
        return True
    best = chosen[0]
    if quote.sentence.is_block or quote.merit + _closeness(quote, chosen) < best.merit - MARGIN:
        return False
    if points_back(quote.text) and quote.found.chunk.parent_id != best.found.chunk.parent_id:
        return False
    return not any(
        repeats(quote.text, other.text)
        or (quote.number == other.number and _overlap(quote.sentence, other.sentence))
        for other in chosen
    )


def _fresh(findings: Findings, said: str) -> list[FoundSentence]:
    """The sentences that the last answer did not have."""
    texts = {found.chunk.id: found.chunk.text for found in findings.chunks}
    told = word_set(said)
    return [
        each for each in findings.sentences if not word_set(texts[each.chunk_id][each.start : each.end]) <= told
    ]


def _with_antecedent(quote: Quote) -> Quote:
    """The quote with the sentence before it, where it speaks of "this" or "it" and that sentence says what."""
    if quote.sentence.is_block or not points_back(quote.text):
        return quote
    text = quote.found.chunk.text
    before = [span for span in sentences(text) if span.end <= quote.sentence.start]
    last = before[-1] if before else None
    if last is None or last.kind is not SpanKind.PROSE or "\n" in text[last.end : quote.sentence.start]:
        return quote
    return replace(quote, sentence=replace(quote.sentence, start=last.start))


def _are_close(one: Quote, other: Quote) -> bool:
    """Whether two quotes stand close together in one paragraph."""
    if one.number != other.number or one.sentence.is_block or other.sentence.is_block:
        return False
    first, second = sorted((one.sentence, other.sentence), key=lambda sentence: sentence.start)
    between = one.found.chunk.text[first.end : second.start]
    return len(between) <= GAP_CHARS and "\n" not in between.strip(" ")


def _is_echo(quote: Quote, query: str) -> bool:
    return quote.text.rstrip().endswith("?") or likeness(quote.text, query) >= ECHO


def _overlap(one: FoundSentence, other: FoundSentence) -> bool:
    return one.start < other.end and other.start < one.end

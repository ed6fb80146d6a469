"""What a chunk says, cut so that a claim can be held against it."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from core.answering.verifying.directives import is_directive
from core.answering.verifying.facts import numbers, plain
from core.answering.verifying.statements import Statement, to_statements
from core.model import Chunk
from core.retrieval.words import Words
from core.text.sentences import Span, SpanKind, sentences

MOST_SENTENCES = 3
"""A claim may gather what so many sentences in a row say."""
_FRAME = """book passag section chapter lesson text author say explain describ mention call mean exampl note also
instead therefor thus not no never cannot becaus accord"""
FRAME = frozenset(_FRAME.split())
"""Stems that speak about the book rather than with it."""

LONGER_COSTS = 0.04
"""The share of words that a sentence more must bring to be worth quoting too."""
FIGURES_COUNT = 0.07
"""How much a claim's numbers count beside its words: less than two sentences more cost."""
_THING = re.compile(r"\b(?:an?|the|each|every|its|this|no|any|one)\s+([\w-]+)(?:\s+([\w-]+))?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A stretch of a chunk with the words it is made of."""

    start: int
    end: int
    text: str
    stems: frozenset[str]
    figures: frozenset[str]
    """Its numbers."""
    block: int
    """The same for the lines of one code block or table, and for nothing else."""
    is_directive: bool = False


@dataclass(frozen=True, slots=True)
class Window:
    """One to three sentences in a row, and how much of a claim they carry."""

    start: int
    end: int
    text: str
    coverage: float
    first: int
    last: int


class Evidence:
    """One chunk, ready to be compared with many claims."""

    def __init__(self, chunk: Chunk, words: Words) -> None:
        self.chunk = chunk
        self._words = words

    @cached_property
    def sentences(self) -> list[Sentence]:
        text = self.chunk.text
        found: list[Sentence] = []
        for start, end, block in _stretches(text):
            stems = frozenset(self._words.of_text(text[start:end]))
            sentence = Sentence(start, end, text[start:end], stems, frozenset(numbers(text[start:end])), block)
            found.append(replace(sentence, is_directive=_is_tainted(sentence, found[-1] if found else None)))
        return found

    @cached_property
    def heading_stems(self) -> frozenset[str]:
        return frozenset(self._words.of_text(f"{self.chunk.breadcrumb} {self.chunk.heading_text}"))

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset[str]().union(*(s.stems for s in self.usable)) | self.heading_stems

    @cached_property
    def things(self) -> frozenset[str]:
        """Stems that stand behind an article somewhere: what the passage speaks of, rather than what happens."""
        text = " ".join(sentence.text for sentence in self.usable)
        named = " ".join(word for match in _THING.finditer(text) for word in match.groups() if word)
        return frozenset(self._words.of_text(named))

    @cached_property
    def usable(self) -> list[Sentence]:
        """The sentences that may support a claim: what is addressed to the model is not the book's word."""
        return [sentence for sentence in self.sentences if not sentence.is_directive]

    @cached_property
    def statements(self) -> list[Statement]:
        """What it says of which thing, sentence by sentence and row by row."""
        return list(to_statements((sentence.text for sentence in self.usable), self._words))

    @cached_property
    def plain_text(self) -> str:
        return plain("\n".join([self.chunk.heading_text, *(sentence.text for sentence in self.usable)]))

    def best_window(self, stems: Iterable[str], figures: Collection[str] = ()) -> Window | None:
        """The shortest run of sentences with most of these words and numbers; the earliest among equals."""
        wanted = set(stems)
        best: Window | None = None
        best_score = 0.0
        for run in self._runs:
            carried = len(wanted & run.stems) + 0.5 * len((wanted - run.stems) & self.heading_stems)
            coverage = carried / len(wanted) if wanted else 0.0
            score = coverage - LONGER_COSTS * (run.last - run.first)
            if figures:
                score += FIGURES_COUNT * len(run.figures.intersection(figures)) / len(figures)
            if best is None or score > best_score + 1e-9:
                best, best_score = Window(run.start, run.end, run.text, coverage, run.first, run.last), score
        return best

    def is_clean(self, start: int, end: int) -> bool:
        """Whether a stretch holds nothing that is addressed to the model."""
        return not any(each.is_directive and each.start < end and start < each.end for each in self.sentences)

    def around(self, window: Window) -> str:
        """A window with the sentence before and after it, and the headings above."""
        first, last = max(0, window.first - 1), min(len(self.usable) - 1, window.last + 1)
        inner = " ".join(sentence.text for sentence in self.usable[first : last + 1])
        return f"{self.chunk.breadcrumb}\n{self.chunk.heading_text}\n{inner}"

    @cached_property
    def _runs(self) -> list["_Run"]:
        """Every run of up to three sentences that holds nothing addressed to the model, shortest first."""
        return [
            run
            for length in range(1, MOST_SENTENCES + 1)
            for first in range(len(self.usable) - length + 1)
            if self.is_clean((run := self._run(first, first + length - 1)).start, run.end)
        ]

    def _run(self, first: int, last: int) -> "_Run":
        inner = self.usable[first : last + 1]
        stems = frozenset[str]().union(*(sentence.stems for sentence in inner))
        start, end = inner[0].start, inner[-1].end
        figures = frozenset[str]().union(*(sentence.figures for sentence in inner))
        return _Run(start, end, self.chunk.text[start:end], stems, figures, first, last)


@dataclass(frozen=True, slots=True)
class _Run:
    """Sentences in a row, not yet compared with anything."""

    start: int
    end: int
    text: str
    stems: frozenset[str]
    figures: frozenset[str]
    first: int
    last: int


def content_stems(text: str, words: Words) -> list[str]:
    """The words of a claim that must come from somewhere, in order."""
    return [stem for stem in words.of_text(text) if stem not in FRAME and not stem.isdigit() and len(stem) > 1]


def _is_tainted(sentence: Sentence, before: Sentence | None) -> bool:
    """Whether a sentence speaks to the model, or carries out what the one before it told the model."""
    if is_directive(sentence.text):
        return True
    if before is None or not before.is_directive:
        return False
    return before.block == sentence.block or before.text.rstrip().endswith((":", "“", '"'))


def _stretches(text: str) -> Iterator[tuple[int, int, int]]:
    """Start, end and block: sentences; of a table or code block each line, which is what a claim rests on."""
    for block, span in enumerate(sentences(text)):
        if span.kind in {SpanKind.TABLE, SpanKind.CODE}:
            yield from ((start, end, block) for start, end in _lines(text, span))
        else:
            yield span.start, span.end, block


def _lines(text: str, span: Span) -> Iterator[tuple[int, int]]:
    position = span.start
    for line in text[span.start : span.end].splitlines(keepends=True):
        start, end = position, position + len(line.rstrip())
        position += len(line)
        if line.strip(" |-:`~\n"):
            yield start, end

"""What was found for a question, and what a writer made of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from core.model.book import Chunk
from core.model.question import Filters, Question
from core.model.session import History, Retrieval


@dataclass(frozen=True, slots=True)
class FoundChunk:
    """A chunk that was found, with every signal that speaks for it."""

    chunk: Chunk
    score: float
    """Relevance from 0 to 1, calibrated for the models in use; the order members see."""
    cosine: float | None = None
    """The embedder's own similarity; None where the chunk is not embedded yet."""
    bm25: float | None = None
    """The score by words; None where it shares no word with the query."""
    best_sentence: str | None = None
    """The sentence of it that answers best, as it stands in the chunk; None where nothing was reranked."""
    rerank: float | None = None
    """The reranker's raw score of that sentence."""


@dataclass(frozen=True, slots=True)
class FoundSentence:
    """A stretch of a found chunk that may answer, as it stands there: *chunk.text[start:end]*."""

    chunk_id: str
    start: int
    end: int
    score: float
    """How well it answers, comparable within one search."""
    is_block: bool = False
    """A list, code block or table, which is shown line by line."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What one search brought, best first."""

    query: str
    """What was searched with: the question made stand-alone."""
    chunks: tuple[FoundChunk, ...] = ()
    total_found: int = 0
    filters: Filters = field(default_factory=Filters)
    answerability: float = 0.0
    """The calibrated chance that the best passages answer the question."""
    sentences: tuple[FoundSentence, ...] = ()
    """The stretches that were read closely, best first; they belong to *chunks*."""
    signals: Mapping[str, float] = field(default_factory=dict)
    """What the answerability was computed from, for measuring and for fitting it anew."""
    is_everything: bool = False
    """Whether *chunks* are all that the books and filters searched hold, each text once."""

    @property
    def average_similarity(self) -> float:
        return sum(found.score for found in self.chunks) / len(self.chunks) if self.chunks else 0.0

    def first(self, count: int) -> "Findings":
        """The same search with only its best *count* chunks."""
        chunks = self.chunks[:count]
        kept = {found.chunk.id for found in chunks}
        return replace(
            self,
            chunks=chunks,
            sentences=tuple(each for each in self.sentences if each.chunk_id in kept),
            is_everything=self.is_everything and len(chunks) == len(self.chunks),
        )

    def above(self, threshold: float) -> "Findings":
        """The same search without the chunks whose score is below *threshold*; scores fall with the order."""
        return self.first(sum(found.score >= threshold for found in self.chunks))

    def to_retrieval(self) -> Retrieval:
        """What the session keeps of this search."""
        return Retrieval(
            query=self.query,
            results_count=len(self.chunks),
            average_similarity=round(self.average_similarity, 4),
            filters=self.filters.to_dict(),
        )


@dataclass(frozen=True, slots=True)
class Task:
    """A question with all a writer may know: what was said before, and which books may be read."""

    question: Question
    history: History
    scope: Filters
    """The question's filters, its books narrowed to what the member's group may read. Never without a book."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a writer wrote. Its marks [n] lead to *chunks*[n - 1]."""

    text: str
    """Empty for a refusal, whose words the agent chooses."""
    chunks: tuple[FoundChunk, ...]
    answerability: float
    """The chance that what was found answers the question, from the search the answer rests on."""
    model: str
    quotes: Mapping[int, str] = field(default_factory=dict)
    """For each mark the words of its chunk that support the sentence it stands at, exactly as they stand there."""
    support: float = 1.0
    """The share of its sentences that were found supported."""
    is_everything: bool = False
    """Whether *chunks* are all that the books and filters searched hold."""
    retrievals: tuple[Retrieval, ...] = ()
    tokens_used: int = 0
    cost_usd: float | None = None
    """What those tokens cost; None where the model's price is not known."""
    notes: tuple[str, ...] = ()
    """What the member should know, such as that the model was away."""

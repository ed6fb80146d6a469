"""What the books say, with citations, and how sure we are."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from uuid import uuid4

from core.model.book import Chunk
from core.model.limits import MAX_EXCERPT_CHARS, ROUNDING, check_share

REFUSAL = "I don't have information about that in the book content"
"""What the contract says where the books do not answer; more may follow it."""


def utc_now() -> str:
    """This moment as the contract writes it: ISO 8601, UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class ConfidenceLevel(StrEnum):
    """How sure an answer is, in a member's words."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    INSUFFICIENT = "insufficient"


@dataclass(frozen=True, slots=True)
class Confidence:
    """How well the chunks found carry an answer. *score* is the calibrated chance of being right."""

    score: float
    level: ConfidenceLevel
    average_similarity: float = 0.0
    min_similarity: float = 0.0
    max_similarity: float = 0.0
    chunk_count: int = 0
    diversity: float = 0.0

    def __post_init__(self) -> None:
        least, mean, most = self.min_similarity, self.average_similarity, self.max_similarity
        for name, value in (("confidence", self.score), ("similarity", mean), ("diversity", self.diversity)):
            check_share(name, value)
        if not least - ROUNDING <= mean <= most + ROUNDING:
            raise ValueError(f"the average similarity {mean} lies outside {least} to {most}")

    @property
    def should_answer(self) -> bool:
        return self.level is not ConfidenceLevel.INSUFFICIENT

    @classmethod
    def none(cls) -> "Confidence":
        """What we know when nothing was found."""
        return cls(score=0.0, level=ConfidenceLevel.INSUFFICIENT)


@dataclass(frozen=True, slots=True)
class Citation:
    """One footnote: a number, its chunk and the quote that supports the sentence it stands at."""

    number: int
    chunk: Chunk
    quote: str
    relevance: float

    def __post_init__(self) -> None:
        check_share("relevance", self.relevance)

    @property
    def excerpt(self) -> str:
        """The quote, shortened at a word for display where it is long."""
        quote = self.quote.strip()
        if len(quote) <= MAX_EXCERPT_CHARS:
            return quote
        return quote[: MAX_EXCERPT_CHARS - 1].rsplit(None, 1)[0] + "…"

    def to_dict(self) -> dict[str, object]:
        """The contract's field names, ready for JSON."""
        return {
            "number": self.number,
            "chunk_id": self.chunk.id,
            "title": self.chunk.page_title,
            "section": self.chunk.section_title,
            "breadcrumb": self.chunk.breadcrumb,
            "url": self.chunk.url,
            "source_file": self.chunk.source_file,
            "chunk_index": self.chunk.index,
            "excerpt": self.excerpt,
            "relevance": round(self.relevance, 4),
        }


@dataclass(frozen=True, slots=True)
class NearSection:
    """A place in the book that comes closest when the book does not answer."""

    title: str
    section: str | None
    breadcrumb: str
    url: str
    chunk_id: str

    @classmethod
    def of(cls, chunk: Chunk) -> "NearSection":
        return cls(chunk.page_title, chunk.section_title, chunk.breadcrumb, chunk.url, chunk.id)

    def to_dict(self) -> dict[str, object]:
        return {
            "title": self.title,
            "section": self.section,
            "breadcrumb": self.breadcrumb,
            "url": self.url,
            "chunk_id": self.chunk_id,
        }


@dataclass(frozen=True, slots=True)
class Answer:
    """What the books say. Never empty: a refusal is an answer without citations."""

    text: str
    citations: tuple[Citation, ...]
    confidence: Confidence
    session_id: str
    nearest: tuple[NearSection, ...] = ()
    """Where to look instead, given with a refusal."""
    notes: tuple[str, ...] = ()
    """What the member should know about this answer, such as that the model was away."""
    model_used: str = "extractive"
    retrieval_count: int = 0
    tokens_used: int = 0
    cost_usd: float | None = None
    """None where the model's price is not known; nothing is shown then."""
    processing_time_ms: float = 0.0
    request_id: str = field(default_factory=lambda: str(uuid4()))
    created_at: str = field(default_factory=utc_now)

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise ValueError("an answer is never empty")

    @property
    def is_refusal(self) -> bool:
        return not self.confidence.should_answer

    def to_dict(self) -> dict[str, object]:
        """The contract's Answer, ready for JSON."""
        return {
            "text": self.text,
            "citations": [citation.to_dict() for citation in self.citations],
            "confidence": round(self.confidence.score, 4),
            "confidence_level": str(self.confidence.level),
            "should_answer": self.confidence.should_answer,
            "session_id": self.session_id,
            "created_at": self.created_at,
            "nearest": [section.to_dict() for section in self.nearest],
            "notes": list(self.notes),
            "metadata": {
                "request_id": self.request_id,
                "processing_time_ms": round(self.processing_time_ms, 1),
                "retrieval_count": self.retrieval_count,
                "model_used": self.model_used,
                "tokens_used": self.tokens_used,
                "cost_usd": self.cost_usd,
            },
        }

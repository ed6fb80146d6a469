"""What the bot shows: an answer or a notice, in a form that survives a restart as JSON."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from core.errors import FootnoteError
from core.model import Answer
from core.model.answer import utc_now


class ReplyKind(StrEnum):
    """Whether the book speaks, does not cover it, or the bot speaks for itself."""

    ANSWER = "answer"
    REFUSAL = "refusal"
    NOTICE = "notice"


@dataclass(frozen=True, slots=True)
class Footnote:
    """One citation as members see it."""

    number: int
    title: str
    section: str | None
    breadcrumb: str
    url: str
    quote: str
    chunk_id: str
    relevance: float = 0.0
    source_file: str = ""
    chunk_index: int = 0


@dataclass(frozen=True, slots=True)
class Pointer:
    """A section that comes closest, offered with a refusal."""

    title: str
    section: str | None
    url: str
    chunk_id: str
    breadcrumb: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """What is shown for one turn. *text* is Markdown whose marks [n] lead to *footnotes*."""

    kind: ReplyKind
    text: str
    footnotes: tuple[Footnote, ...] = ()
    nearest: tuple[Pointer, ...] = ()
    notes: tuple[str, ...] = ()
    confidence: float = 0.0
    confidence_level: str = "insufficient"
    session_id: str = ""
    request_id: str = ""
    reference: str = ""
    """Six characters that stand in the log too; shown with failures."""
    code: str = ""
    """The error's code where a notice stands for a failure; empty otherwise."""
    retry_after: int | None = None
    """After how many seconds asking again may help."""
    details: Mapping[str, object] = field(default_factory=dict)
    """What the error says besides its message: the field, the limit, the length found. Plain JSON."""
    model_used: str = ""
    tokens_used: int = 0
    cost_usd: float = 0.0
    retrieval_count: int = 0
    processing_time_ms: float = 0.0
    created_at: str = ""

    @classmethod
    def from_answer(cls, answer: Answer) -> "Reply":
        return cls(
            kind=ReplyKind.REFUSAL if answer.is_refusal else ReplyKind.ANSWER,
            text=answer.text,
            footnotes=tuple(
                Footnote(
                    number=citation.number,
                    title=citation.chunk.page_title,
                    section=citation.chunk.section_title,
                    breadcrumb=citation.chunk.breadcrumb,
                    url=citation.chunk.url,
                    quote=citation.excerpt,
                    chunk_id=citation.chunk.id,
                    relevance=round(citation.relevance, 4),
                    source_file=citation.chunk.source_file,
                    chunk_index=citation.chunk.index,
                )
                for citation in answer.citations
            ),
            nearest=tuple(
                Pointer(near.title, near.section, near.url, near.chunk_id, near.breadcrumb)
                for near in answer.nearest
            ),
            notes=answer.notes,
            confidence=answer.confidence.score,
            confidence_level=str(answer.confidence.level),
            session_id=answer.session_id,
            request_id=answer.request_id,
            model_used=answer.model_used,
            tokens_used=answer.tokens_used,
            cost_usd=answer.cost_usd or 0.0,
            retrieval_count=answer.retrieval_count,
            processing_time_ms=round(answer.processing_time_ms, 1),
            created_at=answer.created_at,
        )

    @classmethod
    def notice(cls, text: str, *, reference: str = "") -> "Reply":
        return cls(kind=ReplyKind.NOTICE, text=text, reference=reference, created_at=utc_now())

    @classmethod
    def failure(cls, text: str, error: FootnoteError | None, *, reference: str = "") -> "Reply":
        """A notice for something that went wrong, with what an interface needs to answer in its own form."""
        return cls(
            kind=ReplyKind.NOTICE,
            text=text,
            reference=reference,
            code=error.code if error else FootnoteError.code,
            retry_after=error.retry_after if error else None,
            details=dict(error.details) if error else {},
            created_at=utc_now(),
        )

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> "Reply":
        fields = dict(stored)
        fields["kind"] = ReplyKind(fields["kind"])
        fields["footnotes"] = tuple(Footnote(**each) for each in fields["footnotes"])
        fields["nearest"] = tuple(Pointer(**each) for each in fields["nearest"])
        fields["notes"] = tuple(fields["notes"])
        return cls(**fields)

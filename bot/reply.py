"""What the bot shows: an answer or a notice, in a form that survives a restart as JSON."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from core.model import Answer


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


@dataclass(frozen=True, slots=True)
class Pointer:
    """A section that comes closest, offered with a refusal."""

    title: str
    section: str | None
    url: str
    chunk_id: str


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
    model_used: str = ""
    tokens_used: int = 0

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
                )
                for citation in answer.citations
            ),
            nearest=tuple(Pointer(near.title, near.section, near.url, near.chunk_id) for near in answer.nearest),
            notes=answer.notes,
            confidence=answer.confidence.score,
            confidence_level=str(answer.confidence.level),
            session_id=answer.session_id,
            request_id=answer.request_id,
            model_used=answer.model_used,
            tokens_used=answer.tokens_used,
        )

    @classmethod
    def notice(cls, text: str, *, reference: str = "") -> "Reply":
        return cls(kind=ReplyKind.NOTICE, text=text, reference=reference)

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

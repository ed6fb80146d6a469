"""A question asked over HTTP and the answer to it."""

from typing import Annotated

from pydantic import AliasChoices, BaseModel, Field, Strict, WithJsonSchema

from bot.reply import Footnote, Pointer, Reply, ReplyKind
from core.model import Filters, Layer, Level, Question, Selection, SessionKey
from core.model.limits import (
    DEFAULT_TOP_K,
    MAX_QUESTION_CHARS,
    MAX_SELECTED_CHARS,
    MAX_TIER,
    MAX_TOP_K,
    MIN_TIER,
    MIN_TOP_K,
)

MAX_PLACE = 2**31 - 1
"""Above any chapter or lesson there is."""

# The limits are checked by Question, which names the limit and the length found; here they are only told.
QuestionText = Annotated[
    str, WithJsonSchema({"type": "string", "minLength": 1, "maxLength": MAX_QUESTION_CHARS, "pattern": r"\S"})
]
SelectedText = Annotated[str, WithJsonSchema({"type": "string", "maxLength": MAX_SELECTED_CHARS})]
TopK = Annotated[int, Strict(), WithJsonSchema({"type": "integer", "minimum": MIN_TOP_K, "maximum": MAX_TOP_K})]
Share = Annotated[float, Strict(), WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1})]
Tier = Annotated[int, Strict(), WithJsonSchema({"type": "integer", "minimum": MIN_TIER, "maximum": MAX_TIER})]
PlaceNumber = Annotated[int, Strict(), Field(ge=0, le=MAX_PLACE)]
SessionId = Annotated[
    str,
    WithJsonSchema(
        {"type": "string", "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"}
    ),
]


class FiltersForm(BaseModel):
    """Where in the books to look; all that is given must hold."""

    books: list[str] = Field(default=[], max_length=50)
    module: str | None = None
    chapter_min: PlaceNumber | None = None
    chapter_max: PlaceNumber | None = None
    lesson: PlaceNumber | None = None
    tier: Tier | None = Field(default=None, description="Passages for this hardware tier or a lower one.")
    levels: list[Level] = Field(default=[], max_length=len(Level), description="Any of these proficiency levels.")
    layer: Layer | None = None
    parent_doc_id: str | None = Field(default=None, description="Only this one lesson.")

    def to_filters(self) -> Filters:
        return Filters(
            books=tuple(self.books),
            module=self.module,
            chapter_min=self.chapter_min,
            chapter_max=self.chapter_max,
            lesson=self.lesson,
            tier=self.tier,
            levels=tuple(self.levels),
            layer=self.layer,
            parent_id=self.parent_doc_id,
        )


class ChatRequest(BaseModel):
    """A question, as the HTTP API takes it."""

    question: QuestionText = Field(
        validation_alias=AliasChoices("question", "text"),
        description="What you would like to know; `text` is accepted as its name too.",
    )
    selected_text: SelectedText | None = Field(default=None, description="The passage the question is about.")
    top_k: TopK = Field(default=DEFAULT_TOP_K, description="How many passages an answer may draw on.")
    similarity_threshold: Share = Field(default=0.0, description="Passages below this are left out.")
    session_id: SessionId | None = Field(
        default=None, description="A conversation to go on with (UUID of version 4)."
    )
    filters: FiltersForm = Field(default_factory=FiltersForm)

    def to_question(self, key: SessionKey) -> Question:
        """The question, asked at *key*.

        Raises:
            QuestionError: a limit was broken; the message names it and what was found.
        """
        return Question(
            text=self.question,
            selected_text=self.selected_text,
            selection=Selection.MESSAGE,
            top_k=self.top_k,
            similarity_threshold=self.similarity_threshold,
            filters=self.filters.to_filters(),
            session_id=self.session_id,
            key=key,
        )


class CitationForm(BaseModel):
    """One footnote of an answer."""

    number: int = Field(ge=1)
    chunk_id: str
    title: str
    section: str | None
    breadcrumb: str
    url: str
    source_url: str = Field(description="The same address under its other name.")
    source_file: str
    chunk_index: int = Field(ge=0)
    excerpt: str = Field(description="The words of the book that support the sentence.")
    relevance: float = Field(ge=0, le=1)
    relevance_score: float = Field(ge=0, le=1, description="The same number under its other name.")

    @classmethod
    def of(cls, footnote: Footnote) -> "CitationForm":
        return cls(
            number=footnote.number,
            chunk_id=footnote.chunk_id,
            title=footnote.title,
            section=footnote.section,
            breadcrumb=footnote.breadcrumb,
            url=footnote.url,
            source_url=footnote.url,
            source_file=footnote.source_file,
            chunk_index=footnote.chunk_index,
            excerpt=footnote.quote,
            relevance=footnote.relevance,
            relevance_score=footnote.relevance,
        )


class NearForm(BaseModel):
    """A section that comes closest where the book does not answer."""

    title: str
    section: str | None
    breadcrumb: str
    url: str
    chunk_id: str

    @classmethod
    def of(cls, pointer: Pointer) -> "NearForm":
        return cls(
            title=pointer.title,
            section=pointer.section,
            breadcrumb=pointer.breadcrumb,
            url=pointer.url,
            chunk_id=pointer.chunk_id,
        )


class ChatMetadata(BaseModel):
    """How the answer came about."""

    request_id: str
    processing_time_ms: float = Field(ge=0)
    retrieval_count: int = Field(ge=0)
    model_used: str
    tokens_used: int = Field(ge=0)


class ChatResponse(BaseModel):
    """An answer from the books. Without citations it says that the book does not cover the question."""

    answer: str
    text: str = Field(description="The same text under its other name.")
    citations: list[CitationForm]
    confidence: float = Field(ge=0, le=1)
    confidence_level: str
    should_answer: bool
    session_id: str
    created_at: str
    nearest: list[NearForm]
    notes: list[str]
    metadata: ChatMetadata

    @classmethod
    def of(cls, reply: Reply) -> "ChatResponse":
        """An answer or refusal in the contract's form."""
        return cls(
            answer=reply.text,
            text=reply.text,
            citations=[CitationForm.of(footnote) for footnote in reply.footnotes],
            confidence=round(reply.confidence, 4),
            confidence_level=reply.confidence_level,
            should_answer=reply.kind is ReplyKind.ANSWER,
            session_id=reply.session_id,
            created_at=reply.created_at,
            nearest=[NearForm.of(pointer) for pointer in reply.nearest],
            notes=list(reply.notes),
            metadata=ChatMetadata(
                request_id=reply.request_id,
                processing_time_ms=reply.processing_time_ms,
                retrieval_count=reply.retrieval_count,
                model_used=reply.model_used,
                tokens_used=reply.tokens_used,
            ),
        )

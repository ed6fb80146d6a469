"""What the library holds: books, their lessons' places, and chunks that can be found and quoted."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from uuid import UUID, uuid5

from core.errors import LibraryError
from core.model.limits import MAX_TIER, MIN_CHUNK_CHARS, MIN_TIER

BOOK_NAMESPACE = UUID("6ba7b810-9dad-11d1-80b4-00c04fd430c8")
"""The namespace of all chunk and lesson ids, fixed by the contract."""

TOKENS_PER_WORD = 1.3
"""The contract's estimate; exact counts differ by model and are not needed here."""


class Level(StrEnum):
    """How far a reader has come, on the six-step language scale."""

    A1 = "A1"
    A2 = "A2"
    B1 = "B1"
    B2 = "B2"
    C1 = "C1"
    C2 = "C2"


class Layer(StrEnum):
    """How a lesson teaches, from manual foundation (L1) to orchestration (L4)."""

    L1 = "L1"
    L2 = "L2"
    L3 = "L3"
    L4 = "L4"


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a book a lesson stands, and whom it is for."""

    book: str
    module: str = "main"
    chapter: int = 0
    lesson: int = 0
    tier: int = 1
    level: Level = Level.A2
    layer: Layer = Layer.L1

    def __post_init__(self) -> None:
        if not MIN_TIER <= self.tier <= MAX_TIER:
            raise LibraryError(
                f"hardware_tier must be {MIN_TIER} to {MAX_TIER}; found {self.tier}.",
                details={"field": "hardware_tier", "found": self.tier},
            )
        if self.chapter < 0 or self.lesson < 0:
            raise LibraryError(
                f"chapter and lesson count from 0; found {self.chapter} and {self.lesson}.",
                details={"field": "chapter", "found": [self.chapter, self.lesson]},
            )


@dataclass(frozen=True, slots=True)
class Counts:
    """How long a text is, in the units the contract reports."""

    words: int
    tokens: int
    chars: int

    @classmethod
    def of(cls, text: str) -> "Counts":
        words = max(1, len(text.split()))
        return cls(words=words, tokens=max(1, round(words * TOKENS_PER_WORD)), chars=len(text))


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch of a book we can find and quote, linked to its neighbours."""

    id: str
    text: str
    place: Place
    parent_id: str
    index: int
    total: int
    previous_id: str | None
    next_id: str | None
    page_title: str
    section: tuple[str, ...]
    """The heading path inside the lesson, outermost first; empty before the first heading."""
    breadcrumb: str
    url: str
    source_file: str
    source_file_hash: str
    content_hash: str
    version: int = 1
    created_at: str = ""
    updated_at: str = ""

    def __post_init__(self) -> None:
        if len(self.text.strip()) < MIN_CHUNK_CHARS:
            raise LibraryError(
                f"A chunk needs at least {MIN_CHUNK_CHARS} characters; this one has {len(self.text.strip())}.",
                details={"field": "text", "min": MIN_CHUNK_CHARS},
            )
        if not 0 <= self.index < self.total:
            raise LibraryError(f"Chunk {self.index} of {self.total} cannot be.", details={"field": "index"})
        if (self.previous_id is None) != (self.index == 0):
            raise LibraryError(
                "Only a lesson's first chunk has no previous one.", details={"field": "previous_id"}
            )
        if (self.next_id is None) != (self.index == self.total - 1):
            raise LibraryError("Only a lesson's last chunk has no next one.", details={"field": "next_id"})

    @property
    def counts(self) -> Counts:
        return Counts.of(self.text)

    @property
    def section_title(self) -> str | None:
        """The innermost heading above this chunk."""
        return self.section[-1] if self.section else None

    @property
    def heading_text(self) -> str:
        """Title and headings, as they are searched with: a reader names a section as often as its words."""
        return heading_text(self.page_title, self.section)


@dataclass(frozen=True, slots=True)
class Book:
    """One book of the library. *group* is who owns it; None means every group may read it."""

    id: str
    title: str
    group: str | None = None
    base_url: str | None = None
    source: str | None = None
    embedding_model: str | None = None
    dimension: int | None = None
    lesson_count: int = 0
    chunk_count: int = 0
    pending_count: int = 0
    """Chunks that are found by words only so far; their embeddings are still being made."""
    created_at: str = ""
    updated_at: str = ""

    def to_dict(self) -> dict[str, object]:
        """The book and its counts, ready for JSON."""
        return {
            "book_id": self.id,
            "title": self.title,
            "group": self.group,
            "base_url": self.base_url,
            "source": self.source,
            "embedding_model": self.embedding_model,
            "dimension": self.dimension,
            "lessons": self.lesson_count,
            "chunks": self.chunk_count,
            "chunks_pending": self.pending_count,
            "created_at": self.created_at,
            "updated_at": self.updated_at,
        }


def heading_text(page_title: str, section: Sequence[str]) -> str:
    """Title and headings in one line, each once."""
    parts = (page_title, *section)
    return " › ".join(part for at, part in enumerate(parts) if part and part not in parts[:at])


def content_hash(text: str) -> str:
    """The SHA-256 of a chunk's text, which its id and the embedding cache hang on."""
    return sha256(text.encode("utf-8")).hexdigest()


def chunk_id(place: Place, digest: str, *, occurrence: int = 0) -> str:
    """The same id for the same text at the same place, and another for its second occurrence there."""
    name = f"{place.book}:{place.module}:{place.chapter}:{place.lesson}:{digest[:16]}"
    return str(uuid5(BOOK_NAMESPACE, name if occurrence == 0 else f"{name}:{occurrence}"))


def parent_id(place: Place) -> str:
    """The id that all chunks of one lesson share."""
    return str(uuid5(BOOK_NAMESPACE, f"{place.book}:{place.module}:{place.chapter}:{place.lesson}:parent"))

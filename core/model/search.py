"""Looking for passages: what is asked for and what is found."""

from dataclasses import dataclass, field

from core.model.book import Chunk
from core.model.limits import (
    DEFAULT_TOP_K,
    MAX_QUESTION_CHARS,
    MAX_TOP_K,
    MIN_SEARCH_CHARS,
    MIN_TOP_K,
    check_length,
    check_range,
    sound,
)
from core.model.question import Filters


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A member's words and where to look.

    Raises:
        QuestionError: a limit was broken; the message names it.
    """

    text: str
    filters: Filters = field(default_factory=Filters)
    limit: int = DEFAULT_TOP_K

    def __post_init__(self) -> None:
        text = sound(self.text).strip()
        check_length("search text", text, least=MIN_SEARCH_CHARS, most=MAX_QUESTION_CHARS)
        object.__setattr__(self, "text", text)
        check_range("limit", self.limit, least=MIN_TOP_K, most=MAX_TOP_K)


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A chunk that was found, its score from 0 to 1."""

    chunk: Chunk
    score: float

    def to_dict(self) -> dict[str, object]:
        chunk, place = self.chunk, self.chunk.place
        return {
            "chunk_id": chunk.id,
            "text": chunk.text,
            "score": round(self.score, 4),
            "book_id": place.book,
            "source_file": chunk.source_file,
            "page_title": chunk.page_title,
            "section_title": chunk.section_title,
            "breadcrumb": chunk.breadcrumb,
            "module": place.module,
            "chapter": place.chapter,
            "lesson": place.lesson,
            "hardware_tier": place.tier,
            "proficiency_level": str(place.level),
            "layer": str(place.layer),
            "url": chunk.url,
            "chunk_index": chunk.index,
            "total_chunks": chunk.total,
            "parent_doc_id": chunk.parent_id,
            "prev_chunk_id": chunk.previous_id,
            "next_chunk_id": chunk.next_id,
            "content_hash": chunk.content_hash,
        }


@dataclass(frozen=True, slots=True)
class SearchResults:
    """What was found, best first.

    *total_found* counts the chunks that were looked at, not only those shown: the fifty nearest by meaning and the
    fifty best by words, each text once. Nearness has no end, so there is no number of all that match.
    """

    query: str
    hits: tuple[SearchHit, ...]
    total_found: int
    filters: Filters

    def to_dict(self) -> dict[str, object]:
        return {
            "query": self.query,
            "results": [hit.to_dict() for hit in self.hits],
            "total_found": self.total_found,
            "filters": self.filters.to_dict(),
        }

"""What a search over HTTP gives."""

from pydantic import BaseModel, Field

from bot.adapters.web.rendering import render
from core.model import SearchHit, SearchResults


class HitForm(BaseModel):
    """A passage that was found, with its place in the book."""

    chunk_id: str
    text: str
    html: str
    score: float = Field(ge=0, le=1)
    book_id: str
    source_file: str
    page_title: str
    section_title: str | None
    breadcrumb: str
    module: str
    chapter: int
    lesson: int
    hardware_tier: int
    proficiency_level: str
    layer: str
    url: str
    chunk_index: int
    total_chunks: int
    parent_doc_id: str
    prev_chunk_id: str | None
    next_chunk_id: str | None
    content_hash: str

    @classmethod
    def of(cls, hit: SearchHit) -> "HitForm":
        return cls.model_validate({**hit.to_dict(), "html": render(hit.chunk.text)})


class SearchForm(BaseModel):
    """What was found, best first."""

    query: str
    results: list[HitForm]
    total_found: int = Field(ge=0)
    filters: dict[str, object]

    @classmethod
    def of(cls, results: SearchResults) -> "SearchForm":
        return cls(
            query=results.query,
            results=[HitForm.of(hit) for hit in results.hits],
            total_found=results.total_found,
            filters=results.filters.to_dict(),
        )

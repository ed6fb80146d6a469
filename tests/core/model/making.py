"""Nouns for the tests of the model."""

from core.model import Chunk, Place, chunk_id, parent_id
from core.model.book import content_hash

PLACE = Place("ros", "basics", 1, 2)


def make_chunk(
    text: str = "Nodes publish messages on topics.",
    *,
    place: Place = PLACE,
    index: int = 0,
    total: int = 1,
    previous_id: str | None = None,
    next_id: str | None = None,
    section: tuple[str, ...] = ("Topics",),
    page_title: str = "Topics and messages",
) -> Chunk:
    digest = content_hash(text)
    return Chunk(
        id=chunk_id(place, digest),
        text=text,
        place=place,
        parent_id=parent_id(place),
        index=index,
        total=total,
        previous_id=previous_id,
        next_id=next_id,
        page_title=page_title,
        section=section,
        breadcrumb="ROS 2 › First steps",
        url="https://example.org/topics",
        source_file="a.md",
        source_file_hash="0" * 64,
        content_hash=digest,
    )

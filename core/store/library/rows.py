"""Rows of the library back to the nouns, and chunks to rows (pure)."""

import json

from core.model import Book, Chunk, Layer, Level, Place
from core.store.database import Row, Value

CHUNK_COLUMNS = (
    "id, book, parent_id, source_file, idx, total, previous_id, next_id, text, page_title, section, breadcrumb, "
    "url, module, chapter, lesson, tier, level, layer, content_hash, source_file_hash, version, created_at, "
    "updated_at"
)
CHUNK_PLACEHOLDERS = ", ".join("?" * len(CHUNK_COLUMNS.split(",")))


def to_place(row: Row) -> Place:
    return Place(
        book=row["book"],
        module=row["module"],
        chapter=row["chapter"],
        lesson=row["lesson"],
        tier=row["tier"],
        level=Level(row["level"]),
        layer=Layer(row["layer"]),
    )


def to_chunk(row: Row) -> Chunk:
    return Chunk(
        id=row["id"],
        text=row["text"],
        place=to_place(row),
        parent_id=row["parent_id"],
        index=row["idx"],
        total=row["total"],
        previous_id=row["previous_id"],
        next_id=row["next_id"],
        page_title=row["page_title"],
        section=tuple(json.loads(row["section"])),
        breadcrumb=row["breadcrumb"],
        url=row["url"],
        source_file=row["source_file"],
        source_file_hash=row["source_file_hash"],
        content_hash=row["content_hash"],
        version=row["version"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def from_place(place: Place) -> tuple[Value, ...]:
    """Module to layer, in the order of the columns."""
    return place.module, place.chapter, place.lesson, place.tier, str(place.level), str(place.layer)


def from_chunk(chunk: Chunk, *, created_at: str, updated_at: str) -> tuple[Value, ...]:
    """The values of CHUNK_COLUMNS."""
    return (
        chunk.id,
        chunk.place.book,
        chunk.parent_id,
        chunk.source_file,
        chunk.index,
        chunk.total,
        chunk.previous_id,
        chunk.next_id,
        chunk.text,
        chunk.page_title,
        json.dumps(chunk.section, ensure_ascii=False),
        chunk.breadcrumb,
        chunk.url,
        *from_place(chunk.place),
        chunk.content_hash,
        chunk.source_file_hash,
        chunk.version,
        created_at,
        updated_at,
    )


def to_book(row: Row) -> Book:
    return Book(
        id=row["id"],
        title=row["title"],
        group=row["group_key"],
        base_url=row["base_url"],
        source=row["source"],
        embedding_model=row["embedding_model"],
        dimension=row["dimension"],
        lesson_count=row["lesson_count"],
        chunk_count=row["chunk_count"],
        pending_count=row["pending_count"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )

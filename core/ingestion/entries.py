"""Chunks as the index and the embedder want them."""

from core.model import Chunk, SparseVector
from core.model.book import content_hash
from core.ports import IndexEntry, Vector


def embedded_text(chunk: Chunk) -> str:
    """What is embedded of a chunk: its headings with its text, since few passages name their own subject."""
    return f"{chunk.heading_text}\n{chunk.text}"


def embedded_hash(chunk: Chunk) -> str:
    """Under which hash a chunk's embedding is kept: a passage that only moved is not embedded again."""
    return content_hash(embedded_text(chunk))


def to_entry(chunk: Chunk, terms: SparseVector, embedding: Vector | None) -> IndexEntry:
    return IndexEntry(
        chunk_id=chunk.id,
        place=chunk.place,
        parent_id=chunk.parent_id,
        content_hash=chunk.content_hash,
        source_file=chunk.source_file,
        source_file_hash=chunk.source_file_hash,
        terms=terms,
        embedding=embedding,
    )

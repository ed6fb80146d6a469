"""A lesson at its place → its chunks: cut, named, linked to their neighbours and to the page they stand on."""

from collections import Counter
from collections.abc import Sequence
from urllib.parse import quote, urlsplit

from core.ingestion.cutting import Piece, cut
from core.ingestion.lesson import Lesson
from core.model import Chunk, Place, chunk_id, parent_id
from core.model.book import content_hash
from core.model.limits import MIN_CHUNK_CHARS

SEPARATOR = " › "
_SAFE_IN_PATH = "/-._~!$&'()*+,;=:@"


def to_chunks(
    lesson: Lesson,
    place: Place,
    *,
    file_hash: str,
    base_url: str | None = None,
    version: int = 1,
    pieces: Sequence[Piece] | None = None,
) -> list[Chunk]:
    """The lesson's chunks in order; none where it says next to nothing.

    The same text at the same place keeps its id; a text that occurs twice gets two ids. *pieces* spares cutting
    again what another process has cut already.
    """
    pieces = cut(lesson) if pieces is None else pieces
    if len("".join(piece.text for piece in pieces).strip()) < MIN_CHUNK_CHARS:
        return []
    digests = [content_hash(piece.text) for piece in pieces]
    ids = _ids(place, digests)
    parent = parent_id(place)
    address = page_address(lesson, place.book, base_url)
    breadcrumb = SEPARATOR.join((*lesson.breadcrumb, lesson.title))
    return [
        Chunk(
            id=ids[index],
            text=piece.text,
            place=place,
            parent_id=parent,
            index=index,
            total=len(pieces),
            previous_id=ids[index - 1] if index else None,
            next_id=ids[index + 1] if index + 1 < len(ids) else None,
            page_title=lesson.title,
            section=piece.heading,
            breadcrumb=breadcrumb,
            url=f"{address}#{quote(piece.anchor, safe=_SAFE_IN_PATH)}" if piece.anchor else address,
            source_file=lesson.source_file,
            source_file_hash=file_hash,
            content_hash=digests[index],
            version=version,
        )
        for index, piece in enumerate(pieces)
    ]


def page_address(lesson: Lesson, book: str, base_url: str | None) -> str:
    """Where a member can read the whole lesson: on the book's site, else on our own reading page."""
    if lesson.address is not None and urlsplit(lesson.address).scheme:
        return lesson.address
    if base_url is None:
        return f"/read/{quote(book, safe='')}/{quote(lesson.slug, safe=_SAFE_IN_PATH)}"
    path = quote((lesson.address if lesson.address is not None else lesson.slug).lstrip("/"), safe=_SAFE_IN_PATH)
    base = base_url.rstrip("/")
    # The base of a book that is one file may be the address of that very file.
    return base if path and base.endswith(f"/{path}") else f"{base}/{path}"


def _ids(place: Place, digests: list[str]) -> list[str]:
    seen: Counter[str] = Counter()
    ids: list[str] = []
    for digest in digests:
        # The id hangs on the first letters of the digest only, so occurrences are counted by them.
        ids.append(chunk_id(place, digest, occurrence=seen[digest[:16]]))
        seen[digest[:16]] += 1
    return ids

"""Puts files into the library and the index so that readers see each old or new, never half."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.ingestion.chunks import to_chunks
from core.ingestion.entries import to_entry
from core.ingestion.lesson import Lesson
from core.ingestion.placing import Placed
from core.ingestion.prepared import PreparedLesson
from core.model import Chunk, SparseVector, parent_id
from core.ports import Index, Vector
from core.store.library import FileRecord, LessonRow, Library, NewFile, Replaced


@dataclass(frozen=True, slots=True)
class PlacedFile:
    """A file whose lessons have their places, ready to take the place of its former self."""

    file: NewFile
    terms: Sequence[SparseVector]
    """The words of each chunk."""


class Shelving:
    """The order of steps that survives being killed between any two of them.

    New entries go into the index first, where readers ignore them because the library does not know them; one
    transaction then makes the file new; what it no longer has leaves the index last, and is written down until
    it has. Stale entries are removed before anything else is put, so that an id that comes back is never taken for
    the one that went.
    """

    def __init__(self, *, library: Library, index: Index) -> None:
        self._library = library
        self._index = index

    async def replace(self, book: str, placed: Sequence[PlacedFile], embeddings: Mapping[str, Vector]) -> Replaced:
        """Make files new. Chunks without one of *embeddings* are found by words and noted as pending."""
        worded = [pair for each in placed for pair in zip(each.file.chunks, each.terms, strict=True)]
        await self._index.put([to_entry(chunk, terms, embeddings.get(chunk.id)) for chunk, terms in worded])
        pending = [chunk.id for chunk, _ in worded if chunk.id not in embeddings]
        replaced = await self._library.replace_files(
            book, [each.file for each in placed], pending=pending, paid=embeddings
        )
        await self.clear_stale(book)
        return replaced

    async def remove(self, book: str, source_files: Iterable[str]) -> int:
        """Take files out; how many chunks went with them."""
        gone = await self._library.delete_files(book, source_files)
        await self.clear_stale(book)
        return len(gone)

    async def clear_stale(self, book: str | None) -> None:
        """Remove from the index what the library no longer has of a book, or of all."""
        while stale := await self._library.stale(book):
            await self._index.delete(stale)
            await self._library.clear_stale(stale)


def to_placed_file(
    lessons: Sequence[PreparedLesson], places: Sequence[Placed], *, record: FileRecord, base_url: str | None
) -> PlacedFile:
    """Put a file's lessons at their *places*, and give their chunks ids and neighbours."""
    rows: list[LessonRow] = []
    chunks: list[Chunk] = []
    terms: list[SparseVector] = []
    for prepared, placed in zip(lessons, places, strict=True):
        lesson = prepared.lesson
        made = to_chunks(
            lesson, placed.place, file_hash=record.file_hash, base_url=base_url, pieces=prepared.pieces
        )
        rows.append(_to_row(lesson, placed))
        chunks += made
        terms += prepared.terms if made else ()
    return PlacedFile(NewFile(record, rows, chunks), terms)


def _to_row(lesson: Lesson, placed: Placed) -> LessonRow:
    return LessonRow(
        parent_id=parent_id(placed.place),
        title=lesson.title,
        place=placed.place,
        slug=lesson.slug,
        position=lesson.order,
        warnings=(*lesson.warnings, *placed.warnings),
    )

"""What a reading process hands back of a file: everything that can be known before its place is."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.ingestion.cutting import Piece, cut
from core.ingestion.file_reading import read_file
from core.ingestion.lesson import Lesson, Reader, SourceFile
from core.model import SparseVector
from core.model.book import heading_text
from core.retrieval.words import Words


@dataclass(frozen=True, slots=True)
class PreparedLesson:
    """A lesson, cut into pieces whose words are counted."""

    lesson: Lesson
    """Without its blocks: the pieces say all that they did."""
    pieces: Sequence[Piece]
    terms: Sequence[SparseVector]
    """The words of each piece."""


def prepare(reader: Reader, source: SourceFile, words: Words) -> list[PreparedLesson]:
    """The lessons of a file, ready to be placed.

    Raises:
        UnreadableFile: nothing can be read from it; the message says why.
    """
    return [_prepared(lesson, words) for lesson in read_file(reader, source)]


def _prepared(lesson: Lesson, words: Words) -> PreparedLesson:
    pieces = cut(lesson)
    terms = [words.of_passage(piece.text, heading_text(lesson.title, piece.heading)) for piece in pieces]
    return PreparedLesson(replace(lesson, blocks=()), pieces, terms)

"""A lesson too long for one sitting → several, where its headings allow it."""

from dataclasses import replace
from pathlib import PurePosixPath

from core.ingestion.lesson import Lesson, LessonPlace
from core.ingestion.readers.contents import chapter_number, places
from core.ingestion.readers.division import Division, divide
from core.ingestion.readers.numbering import readable

LONGEST_PAGE_CHARS = 200_000
"""A page somebody wrote as one lesson stays one; beyond this it is a whole book in one file."""


def divided(lesson: Lesson) -> list[Lesson]:
    """The lesson itself, or the lessons of the book that its file holds. Their blocks, joined, are its blocks."""
    if sum(len(block.text) for block in lesson.blocks) <= LONGEST_PAGE_CHARS:
        return [lesson]
    if chapter_number(lesson.title) is not None:
        # The first heading of such a file is its first chapter's, not the book's.
        lesson = replace(lesson, title=readable(PurePosixPath(lesson.source_file).stem))
    divisions = divide(lesson.blocks)
    paths = [_path(division, lesson) for division in divisions]
    said = places(paths, [division.blocks for division in divisions])
    return [
        _part(lesson, division, place, number)
        for number, (division, place) in enumerate(zip(divisions, said, strict=True))
    ]


def _path(division: Division, whole: Lesson) -> tuple[str, ...]:
    return tuple(title for title in division.path if title != whole.title)


def _part(whole: Lesson, division: Division, place: LessonPlace, number: int) -> Lesson:
    path = _path(division, whole)
    return replace(
        whole,
        title=path[-1] if path else whole.title,
        blocks=division.blocks,
        place=replace(whole.place, module=place.module or whole.place.module, chapter=place.chapter, lesson=None),
        breadcrumb=(*whole.breadcrumb, whole.title, *path[:-1]) if path else whole.breadcrumb,
        slug=f"{whole.slug}/{number}" if number else whole.slug,
        order=whole.order + number,
        warnings=whole.warnings if number == 0 else (),
        address=whole.address if whole.address is not None else whole.slug,
    )

"""A lesson too long for one sitting → several, where its headings allow it."""

from dataclasses import replace

from core.ingestion.lesson import Lesson
from core.ingestion.readers.division import Division, divide

LONGEST_PAGE_CHARS = 200_000
"""A page somebody wrote as one lesson stays one; beyond this it is a whole book in one file."""


def divided(lesson: Lesson) -> list[Lesson]:
    """The lesson itself, or the lessons of the book that its file holds. Their blocks, joined, are its blocks."""
    if sum(len(block.text) for block in lesson.blocks) <= LONGEST_PAGE_CHARS:
        return [lesson]
    return [_part(lesson, division, number) for number, division in enumerate(divide(lesson.blocks))]


def _part(whole: Lesson, division: Division, number: int) -> Lesson:
    path = tuple(title for title in division.path if title != whole.title)
    return replace(
        whole,
        title=path[-1] if path else whole.title,
        blocks=division.blocks,
        place=replace(whole.place, chapter=None, lesson=None) if number else whole.place,
        breadcrumb=(*whole.breadcrumb, whole.title, *path[:-1]) if path else whole.breadcrumb,
        slug=f"{whole.slug}/{number}" if number else whole.slug,
        order=whole.order + number,
        warnings=whole.warnings if number == 0 else (),
        address=whole.address if whole.address is not None else whole.slug,
    )

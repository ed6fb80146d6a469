"""From a table of contents to places: which module and chapter each entry is."""

import re
from collections.abc import Iterator, Sequence

from core.ingestion.lesson import Block, BlockKind, LessonPlace
from core.ingestion.readers.numbering import module_slug

_PART = re.compile(
    r"(?:part|book|module|volume|teil)\b[ .:-]*(?:[\divxlcdm]{1,8}|one|two|three|four|five|six)\b", re.I
)
_NUMBERED = re.compile(r"(?:(?:chapter|ch\.|lesson|week|unit|kapitel)\s*)?(\d{1,4})(?=$|[.:)\s—–-])", re.I)
_ROMAN_CHAPTER = re.compile(r"(?:(?:chapter|kapitel)\s+([ivxlc]{1,7})|([IVX]{1,6}))(?=$|[.:)])", re.I)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_SECTION = re.compile(r"(\d{1,4})\.\d{1,4}(?=$|[.:)\s])")


def places(paths: Sequence[tuple[str, ...]], contents: Sequence[Sequence[Block]]) -> list[LessonPlace]:
    """A place for each entry, given as the titles that lead to it, its own last, and its *contents*.

    A part is a module. Chapters keep the numbers their titles or sections carry, and what has none, a
    preface or an index, goes to chapter 0; where nothing has a number, chapters are counted.
    """
    split = [_module_and_rest(path) for path in paths]
    numbers = [
        _first_number(rest) or _section_number(blocks) for (_, rest), blocks in zip(split, contents, strict=True)
    ]
    known: dict[tuple[str | None, tuple[str, ...]], int] = {}
    for (module, rest), number in zip(split, numbers, strict=True):
        if number is not None:
            known.setdefault((module, rest[:1]), number)
    if not known:
        counted = _counted([(module, rest[:1]) for module, rest in split])
        return [
            LessonPlace(module=module, chapter=ordinal)
            for (module, _), ordinal in zip(split, counted, strict=True)
        ]
    return [
        LessonPlace(module=module, chapter=number or known.get((module, rest[:1]), 0))
        for (module, rest), number in zip(split, numbers, strict=True)
    ]


def is_part(title: str) -> bool:
    """Whether a title is that of a part of a book, which holds chapters: "Part One", "Module 2: Sensing"."""
    return _PART.match(title) is not None


def chapter_number(title: str) -> int | None:
    """The number a chapter's title begins with: "3. Motion", "Chapter 3" and "III." all give 3."""
    found = _NUMBERED.match(title.strip())
    if found:
        return int(found[1])
    roman = _ROMAN_CHAPTER.match(title.strip())
    return _from_roman((roman[1] or roman[2]).lower()) if roman else None


def _first_number(titles: Sequence[str]) -> int | None:
    return next((number for title in titles if (number := chapter_number(title)) is not None), None)


def _section_number(blocks: Sequence[Block]) -> int | None:
    """The chapter that the first numbered section belongs to: "3.1 Joints" stands in chapter 3."""
    titles = (block.heading[-1] for block in blocks if block.kind is BlockKind.HEADING and block.heading)
    found = next((match for title in titles if (match := _SECTION.match(title))), None)
    return int(found[1]) if found else None


def _module_and_rest(path: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
    if path and is_part(path[0]):
        return module_slug(path[0]), path[1:]
    return None, path


def _counted(chapters: Sequence[tuple[str | None, tuple[str, ...]]]) -> Iterator[int]:
    """Neighbours with the same title are one chapter; a part's own page belongs to none."""
    number, last = 0, None
    for chapter in chapters:
        if not chapter[1]:
            yield 0
            continue
        number += chapter != last
        last = chapter
        yield number


def _from_roman(letters: str) -> int:
    values = [_ROMAN[letter] for letter in letters]
    return sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True))

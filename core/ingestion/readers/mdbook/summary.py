"""Reads an mdBook's SUMMARY.md: its chapters in order, their titles and the parts they stand in."""

import re
from dataclasses import dataclass

from core.ingestion.lesson import LessonPlace
from core.ingestion.readers.inline import plain
from core.ingestion.readers.numbering import module_slug

_ITEM = re.compile(r"^([ \t]*)[-*+][ \t]+\[(.+)\]\(([^()]*(?:\([^()]*\))?[^()]*)\)")
_BARE = re.compile(r"^\[(.+)\]\(([^()]*(?:\([^()]*\))?[^()]*)\)")
_PART = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t#]*$")
MAX_ENTRIES = 20_000


@dataclass(frozen=True, slots=True)
class Chapter:
    """One entry of the summary."""

    title: str
    file: str
    """Relative to the folder of SUMMARY.md; empty for a chapter that is not written yet."""
    parents: tuple[str, ...]
    """The part and the chapters it stands in."""
    place: LessonPlace


def read_summary(text: str) -> list[Chapter]:
    """Every entry in order. Chapters in the list are numbered; a foreword or appendix outside it is not."""
    return _Summary().read(text)


class _Summary:
    def __init__(self) -> None:
        self._chapters: list[Chapter] = []
        self._part: str | None = None
        self._open: list[tuple[int, str]] = []
        self._number = 0
        self._lesson = 0

    def read(self, text: str) -> list[Chapter]:
        is_first_heading = True
        for line in text.split("\n"):
            heading = _PART.match(line)
            item, bare = _ITEM.match(line), _BARE.match(line)
            if heading and is_first_heading and not self._chapters:
                # The first heading is the book's own.
                is_first_heading = False
            elif heading:
                self._part, self._open = plain(heading[1]), []
            elif item:
                self._numbered(len(item[1].expandtabs(4)), plain(item[2]), item[3])
            elif bare:
                self._unnumbered(plain(bare[1]), bare[2])
        return self._chapters[:MAX_ENTRIES]

    def _numbered(self, indent: int, title: str, file: str) -> None:
        while self._open and self._open[-1][0] >= indent:
            self._open.pop()
        if self._open:
            self._lesson += 1
        else:
            self._number, self._lesson = self._number + 1, 0
        self._add(title, file, chapter=self._number, lesson=self._lesson)
        self._open.append((indent, title))

    def _unnumbered(self, title: str, file: str) -> None:
        self._open = []
        if self._chapters and self._number:
            # What follows the numbered chapters belongs to none of their parts.
            self._part = None
        self._add(title, file, chapter=0, lesson=None)

    def _add(self, title: str, file: str, *, chapter: int, lesson: int | None) -> None:
        parents = tuple(name for _, name in self._open)
        module = module_slug(self._part) if self._part else None
        place = LessonPlace(module=module, chapter=chapter, lesson=lesson)
        file = file.strip().strip("<>").split("#")[0].removeprefix("./")
        above = (self._part, *parents) if self._part else parents
        self._chapters.append(Chapter(title, file, above, place))

"""What a reader hands over: lessons, cut from their files and described, not yet given a place."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol

LESSONS_PER_FILE = 10_000
"""Room in the reading order for the lessons of one file; an EPUB may hold hundreds."""


class BlockKind(StrEnum):
    """What a stretch of a lesson is, which decides how it may be cut."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    CODE = "code"
    TABLE = "table"
    FORMULA = "formula"
    QUOTE = "quote"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of a lesson that is best kept whole."""

    kind: BlockKind
    text: str
    """Exactly as it stands in the lesson's text, including the blank lines after it."""
    heading: tuple[str, ...]
    """The headings it stands under, outermost first and free of markup; a heading includes itself."""
    anchor: str | None = None
    """Where on the page its heading is: a heading's slug, an element's id, or "page=12" in a PDF."""


@dataclass(frozen=True, slots=True)
class LessonPlace:
    """What a source says about a lesson's place. None means it does not say."""

    module: str | None = None
    chapter: int | None = None
    lesson: int | None = None
    tier: int | None = None
    level: str | None = None
    layer: str | None = None


@dataclass(frozen=True, slots=True)
class Lesson:
    """One page of a book, as its source file gives it."""

    source_file: str
    """Relative to the book's root, with forward slashes."""
    title: str
    blocks: tuple[Block, ...]
    place: LessonPlace
    breadcrumb: tuple[str, ...]
    """The titles of the module and chapter above it."""
    slug: str
    """The page's path on the book's site, without the site's address."""
    order: int
    """Where it comes in reading order."""
    warnings: tuple[str, ...] = ()
    """What had to be assumed or left out, one plain sentence each."""
    address: str | None = None
    """Where the page is on the book's site, where that is not the slug; a full address stands for itself."""

    @property
    def text(self) -> str:
        return "".join(block.text for block in self.blocks)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that belongs to a book, found but not yet read, with what the files around it say about it."""

    path: str
    """Relative to the book's root, with forward slashes."""
    location: str
    """Where it is on this machine."""
    size: int
    order: int = 0
    """Where it comes in reading order."""
    breadcrumb: tuple[str, ...] = ()
    """The titles of the module and chapter above it."""
    title: str | None = None
    """What the book's table of contents calls it."""
    place: LessonPlace = field(default_factory=LessonPlace)
    """What its path or the table of contents says about its place."""
    address: str | None = None
    """Where a page fetched from a site came from."""
    stamp: str = ""
    """What changes with every change of the file; empty where only its bytes can tell."""

    @property
    def absolute(self) -> Path:
        """Made when it is asked for: a large book has ten thousand files, and few of them changed."""
        return Path(self.location)

    def order_of(self, number: int) -> int:
        """Where the file's lesson *number*, counted from 0, comes in the whole book's reading order."""
        return self.order * LESSONS_PER_FILE + number


class Reader(Protocol):
    """Turns one kind of source into lessons. Readers are picklable; reading runs in other processes."""

    def discover(self, root: Path) -> Iterable[SourceFile]:
        """The book's files in reading order, without opening more of them than the order needs."""

    def parts(self, source: SourceFile) -> Sequence[Path]:
        """The other files whose text goes into the lessons of this one, whether they are there or not."""

    def read(self, source: SourceFile) -> list[Lesson]:
        """The lessons of one file; an EPUB or a PDF may hold several.

        Raises:
            UnreadableFile: nothing can be read from it; the message says why.
        """

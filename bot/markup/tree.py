"""The document tree: what a reply's Markdown means, before any platform writes it its own way."""

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Text:
    """Words as they are read; nothing in them is markup."""

    text: str


@dataclass(frozen=True, slots=True)
class Strong:
    inside: tuple["Inline", ...]


@dataclass(frozen=True, slots=True)
class Emphasis:
    inside: tuple["Inline", ...]


@dataclass(frozen=True, slots=True)
class Strike:
    inside: tuple["Inline", ...]


@dataclass(frozen=True, slots=True)
class Code:
    text: str


@dataclass(frozen=True, slots=True)
class Maths:
    """A formula, already readable without a typesetter."""

    text: str


@dataclass(frozen=True, slots=True)
class Link:
    inside: tuple["Inline", ...]
    url: str


@dataclass(frozen=True, slots=True)
class Mark:
    """The number that leads to a footnote."""

    number: int


@dataclass(frozen=True, slots=True)
class LineBreak:
    pass


Inline = Text | Strong | Emphasis | Strike | Code | Maths | Link | Mark | LineBreak


@dataclass(frozen=True, slots=True)
class Paragraph:
    inside: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    inside: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Fence:
    """Code or a formula on lines of its own."""

    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list. *start* is the first number; None where it is not numbered."""

    items: tuple[tuple["Block", ...], ...]
    start: int | None = None


@dataclass(frozen=True, slots=True)
class Quote:
    blocks: tuple["Block", ...]


class Align(StrEnum):
    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"


Cell = tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Table:
    header: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    alignments: tuple[Align, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across the page."""


Block = Paragraph | Heading | Fence | Bullets | Quote | Table | Rule
Document = tuple[Block, ...]

"""What ingestion and the outline say about a book's files and lessons."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from core.model import Chunk, Place


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A file as it was when it was last ingested. An empty hash means: read it again."""

    source_file: str
    file_hash: str
    chunk_ids: tuple[str, ...] = ()
    """In reading order. Told by the library; not read when a file is replaced."""
    places: tuple[Place, ...] = ()
    """Where its lessons stand, in reading order. Told by the library; not read when a file is replaced."""
    ingested_at: str = ""
    context_hash: str = ""
    """Of all that decides its chunks beside its bytes, such as the titles above it and the book's address."""
    stamp: str = ""
    """The file's size, number and times when it was hashed; empty where they do not vouch for its bytes."""


@dataclass(frozen=True, slots=True)
class LessonRow:
    """A lesson as it is stored beside its chunks."""

    parent_id: str
    title: str
    place: Place
    slug: str
    position: int
    """Where it comes in the book's reading order."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file as it shall be from now on."""

    record: FileRecord
    lessons: Sequence[LessonRow]
    chunks: Sequence[Chunk]


@dataclass(frozen=True, slots=True)
class Replaced:
    """What replacing files did to their chunks, by id."""

    created: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LessonEntry:
    """One line of a book's outline."""

    parent_id: str
    title: str
    module: str
    chapter: int
    lesson: int
    slug: str
    source_file: str
    url: str
    breadcrumb: str
    chunk_count: int
    sections: tuple[str, ...]
    """The headings inside it, in order, each once."""

    def to_dict(self) -> dict[str, object]:
        return {**asdict(self), "sections": list(self.sections)}


@dataclass(frozen=True, slots=True)
class Remark:
    """What a leader may want to repair in a file that was taken in: pictures of pages, a number taken twice."""

    source_file: str
    message: str

    def to_dict(self) -> dict[str, object]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class LessonPage:
    """A lesson to read, and the title and slug of the ones before and after it."""

    parent_id: str
    slug: str
    before: tuple[str, str] | None
    after: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What a member may mean: the *value* a filter takes, and the words to show for it."""

    value: str
    label: str

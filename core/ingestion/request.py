"""What someone asks ingestion to do."""

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from core.errors import LibraryError
from core.store.job import Job


class Mode(StrEnum):
    """How much of a book is read again. In every mode readers keep what they have until its successor is there."""

    INCREMENTAL = "incremental"
    """Only files that changed."""
    FULL = "full"
    """Every file; lessons without a number of their own keep the one they have."""
    RECREATE = "recreate"
    """Every file, as if the book were new, with whatever embedding model is in use."""


BOOK_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
MAX_ID_CHARS = 80

REINDEX = "reindex"
"""The mode of a job that reads no file and makes the index anew from the library."""


@dataclass(frozen=True, slots=True)
class IngestRequest:
    """A book to take in or to renew.

    Raises:
        LibraryError: the id or the mode cannot be; the message says what can.
    """

    source: str
    """A folder, a file or an address."""
    book: str
    title: str | None = None
    mode: Mode = Mode.INCREMENTAL
    base_url: str | None = None
    group: str | None = None
    """Who will own the book; None means that every group may read it."""
    requested_by: str | None = None

    def __post_init__(self) -> None:
        check_id(self.book)
        object.__setattr__(self, "mode", to_mode(self.mode))

    @property
    def options(self) -> dict[str, object]:
        """What a job keeps beside its own fields."""
        return {"title": self.title, "base_url": self.base_url}

    @classmethod
    def from_job(cls, job: Job) -> "IngestRequest":
        title, base_url = job.options.get("title"), job.options.get("base_url")
        return cls(
            source=job.source,
            book=job.book,
            title=str(title) if title else None,
            mode=to_mode(job.mode),
            base_url=str(base_url) if base_url else None,
            group=job.group,
            requested_by=job.requested_by,
        )


def check_id(book: str) -> None:
    """Refuse an id that cannot stand in addresses and commands; the message proposes one that can.

    Raises:
        LibraryError: it has other characters than letters, digits, - _ and . or is too long.
    """
    if len(book) <= MAX_ID_CHARS and BOOK_ID.fullmatch(book):
        return
    plain = unicodedata.normalize("NFKD", book).encode("ascii", "ignore").decode()
    proposed = re.sub(r"[^A-Za-z0-9._-]+", "-", plain).strip("-._")[:MAX_ID_CHARS].strip("-._") or "book"
    raise LibraryError(
        f"A book's id has letters, digits, - _ and . only, and at most {MAX_ID_CHARS} of them. "
        f"Instead of {book[:MAX_ID_CHARS]!r} take, for example: {proposed}",
        details={"field": "book", "found": book[:MAX_ID_CHARS], "proposed": proposed},
    )


def to_mode(name: str) -> Mode:
    """The mode called *name*.

    Raises:
        LibraryError: there is none of that name.
    """
    try:
        return Mode(name)
    except ValueError as error:
        known = ", ".join(Mode)
        raise LibraryError(f"The mode is one of {known}; found {name!r}.", details={"field": "mode"}) from error

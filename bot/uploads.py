"""Files that leaders hand in: where they are put, and what a book made of one is called."""

import asyncio
import re
import shutil
import unicodedata
from hashlib import sha256
from pathlib import Path

from core.errors import LibraryError
from core.ingestion.readers.files import SUFFIXES

UPLOADS = "uploads"
"""Where in the data folder they are kept."""
MAX_ID_CHARS = 40
READABLE_SUFFIXES = (*SUFFIXES, ".zip")
"""What the readers take; anything else is refused before it is stored."""


def to_slug(title: str, *, most: int) -> str:
    """A title as a short name that fits in addresses and commands; empty if nothing of it can be used."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:most].strip("-")


def to_book_id(title: str, group: str) -> str:
    """A short id from a title, the same for the same title and group, and another one for another group."""
    words = to_slug(title, most=MAX_ID_CHARS) or "book"
    return f"{words}-{sha256(group.encode()).hexdigest()[:4]}"


def check_name(name: str) -> str:
    """The bare file name.

    Raises:
        LibraryError: no reader takes such a file; the message names those that are taken.
    """
    bare = Path(name.replace("\\", "/")).name
    if Path(bare).suffix.lower() not in READABLE_SUFFIXES:
        raise LibraryError(
            f"I cannot read {bare or 'this file'}. Books may be {', '.join(READABLE_SUFFIXES)}.",
            details={"field": "file", "found": bare},
        )
    return bare


class Uploads:
    """A folder with one folder per book, so that handing a file in again replaces it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def keep(self, book_id: str, name: str, content: bytes) -> Path:
        """Store a file of a book; where it is.

        Raises:
            LibraryError: no reader takes such a file.
        """
        target = self._folder / book_id / check_name(name)
        await asyncio.to_thread(_write, target, content)
        return target

    async def remove(self, book_id: str) -> None:
        """Delete what was handed in for a book; nothing happens where nothing was."""
        folder = self._folder / book_id
        # An id of dots would lead out of the folder.
        if folder.resolve().parent == self._folder.resolve():
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


def _write(target: Path, content: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)

"""From what a leader names (a folder, a file, an archive, an address) to a reader and the files of the book."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from core.errors import LibraryError
from core.ingestion.lesson import Reader, SourceFile
from core.ingestion.readers.files import SUFFIXES
from core.ingestion.readers.folder import FolderReader, in_reading_order
from core.ingestion.readers.mdbook import MdBookReader, summary_of
from core.ingestion.readers.single import FileReader
from core.ingestion.readers.tree import walk
from core.ingestion.readers.unpacking import unpack
from core.ingestion.unseen import Unseen

if TYPE_CHECKING:
    from core.ingestion.readers.site.fetching import SiteLimits

ARCHIVES = (".zip",)


@dataclass(frozen=True)
class OpenedBook:
    """A book whose files can be read while it is open."""

    reader: Reader
    find_files: Callable[[], list[SourceFile]]
    refused: tuple[str, ...] = ()
    """One sentence for each part of the source that was left out."""
    unseen: tuple[Unseen, ...] = ()
    """The parts of the source that could not be looked at; what came from them before is not gone."""
    stamp: str = ""
    """What changes when anything in the source is touched; empty where only its files can tell."""

    @cached_property
    def files(self) -> list[SourceFile]:
        """In reading order. To tell it takes a look into every file, so ask in another thread.

        Raises:
            LibraryError: there is nothing that can be read.
        """
        return self.find_files()


@asynccontextmanager
async def open_book(
    source: str, *, scratch: Path, allows_private: bool = False, limits: "SiteLimits | None" = None
) -> AsyncIterator[OpenedBook]:
    """Open the book at *source*: a path, or an address. What must be unpacked or fetched goes to *scratch*.

    Raises:
        LibraryError: there is nothing there, or nothing that can be read.
        ServiceDown: the site cannot be reached.
    """
    await asyncio.to_thread(scratch.mkdir, parents=True, exist_ok=True)
    with TemporaryDirectory(dir=scratch, prefix="book-") as folder:
        if is_address(source):
            opened = await _open_address(source, Path(folder), allows_private, limits)
        else:
            opened = await asyncio.to_thread(_open_path, Path(source), Path(folder))
        yield opened


def is_address(source: str) -> bool:
    """Whether a leader named a page on the web rather than something on this machine."""
    return source.strip().lower().startswith(("http://", "https://"))


def read_book(root: Path) -> tuple[Reader, list[SourceFile]]:
    """The reader for the book at *root*, a folder or a file, and its files in reading order.

    Raises:
        LibraryError: there is nothing there, or nothing that can be read.
    """
    if not root.exists():
        raise LibraryError(f"{root} does not exist.")
    if not root.is_dir() and not root.is_file():
        raise LibraryError(f"{root} is neither a folder nor a file.")
    reader = _reader_for(root)
    return reader, _not_empty(list(reader.discover(root)), root)


async def _open_address(
    source: str, folder: Path, allows_private: bool, limits: "SiteLimits | None"
) -> OpenedBook:
    # Fetching brings a package that takes long to import, and few commands fetch.
    from core.ingestion.readers.site import fetch_site  # noqa: PLC0415 slow to import
    from core.ingestion.readers.site.addresses import start_address  # noqa: PLC0415 slow to import
    from core.ingestion.readers.site.fetching import SiteLimits, open_fetcher  # noqa: PLC0415 slow to import

    limits = limits or SiteLimits()
    start = start_address(source)
    name = PurePosixPath(unquote(urlsplit(start).path)).name
    async with open_fetcher(limits=limits, allows_private=allows_private) as fetcher:
        if not name.lower().endswith((".pdf", ".epub", *ARCHIVES)):
            site = await fetch_site(fetcher, start, folder, limits=limits)
            return OpenedBook(FileReader(), lambda: site.files, site.refused, site.unseen)
        fetched = await fetcher.fetch(start, most_bytes=limits.file_bytes, may_move=True)
    if not fetched.is_ok:
        raise LibraryError(f"{start} answered {fetched.status}.")
    file = folder / "download" / name
    file.parent.mkdir()
    await asyncio.to_thread(file.write_bytes, fetched.body)
    opened = await asyncio.to_thread(_open_path, file, folder / "unpacked")
    is_single = len(opened.files) == 1 and not name.lower().endswith(ARCHIVES)
    if not is_single:
        return opened
    file_there = replace(opened.files[0], address=start)
    return replace(opened, find_files=lambda: [file_there])


def _open_path(path: Path, folder: Path) -> OpenedBook:
    path = path.expanduser()
    if path.is_file() and path.name.lower().endswith(ARCHIVES):
        folder.mkdir(parents=True, exist_ok=True)
        unpacked = unpack(path, folder)
        opened = _open_unpacked(unpacked.root)
        return replace(
            opened,
            refused=(*unpacked.refused, *opened.refused),
            unseen=(*unpacked.unseen, *opened.unseen),
        )
    return _open_unpacked(path)


def _open_unpacked(path: Path) -> OpenedBook:
    if path.is_dir() and summary_of(path) is None:
        tree = walk(path)
        return OpenedBook(
            FolderReader(),
            lambda: _not_empty(in_reading_order(tree), path),
            tuple(tree.everything_refused()),
            tuple(tree.everything_unseen()),
            tree.stamp(),
        )
    reader, files = read_book(path)
    refused, unseen = getattr(reader, "refused", ()), getattr(reader, "unseen", ())
    return OpenedBook(reader, lambda: files, refused, unseen)


def _reader_for(root: Path) -> Reader:
    if not root.is_dir():
        return FileReader()
    return MdBookReader() if summary_of(root) is not None else FolderReader()


def _not_empty(files: list[SourceFile], root: Path) -> list[SourceFile]:
    if not files:
        known = ", ".join((*SUFFIXES, *ARCHIVES))
        raise LibraryError(f"Nothing in {root.name} can be read as a book; known are {known}.")
    return files

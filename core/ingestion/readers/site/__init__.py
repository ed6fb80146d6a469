"""Reads a book that is a site: its pages are fetched into a folder first and read from there."""

from dataclasses import replace
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from core.errors import LibraryError
from core.ingestion.lesson import SourceFile
from core.ingestion.readers.files import SUFFIXES
from core.ingestion.readers.html.page import title_from_name
from core.ingestion.readers.numbering import place_of_path
from core.ingestion.readers.site.crawl import Crawl
from core.ingestion.readers.site.fetching import Fetched, Fetcher, SiteLimits

_ENDINGS = {"text/plain": ".txt", "text/markdown": ".md"}


async def fetch_site(
    fetcher: Fetcher, start: str, folder: Path, *, limits: SiteLimits
) -> tuple[list[SourceFile], tuple[str, ...]]:
    """Fetch a site's pages into *folder*; what could not be fetched is said in one sentence each.

    Raises:
        LibraryError: nothing of it may or can be read.
        ServiceDown: it cannot be reached.
    """
    crawl = Crawl(fetcher, limits)
    files: list[SourceFile] = []
    async for page in crawl.pages(start):
        files.append(_stored(page, folder, order=len(files)))
    if not files:
        reason = crawl.refused[0] if crawl.refused else "it has no pages of text."
        raise LibraryError(f"Nothing could be read from {start}: {reason}")
    return _without_twins(files), tuple(crawl.refused)


def _stored(page: Fetched, folder: Path, *, order: int) -> SourceFile:
    path = _path(page)
    absolute = folder / f"{order}{PurePosixPath(path).suffix}"
    absolute.write_bytes(page.body)
    return SourceFile(
        path=path,
        location=str(absolute),
        size=len(page.body),
        order=order,
        title=title_from_name(path),
        place=place_of_path(path),
        address=page.address,
    )


def _path(page: Fetched) -> str:
    """A file's name for a page's address, so that the same page keeps its name from run to run."""
    parts = urlsplit(page.address)
    path = unquote(parts.path).strip("/")
    if parts.path.endswith("/") or not path:
        path = f"{path}/index".strip("/")
    ending = _ENDINGS.get(page.kind, ".html")
    if not path.lower().endswith(SUFFIXES):
        path += ending
    return f"{path}?{parts.query}{ending}" if parts.query else path


def _without_twins(files: list[SourceFile]) -> list[SourceFile]:
    """Two addresses may give one file name; each file of a book has its own."""
    seen: set[str] = set()
    kept: list[SourceFile] = []
    for file in files:
        if file.path not in seen:
            seen.add(file.path)
            kept.append(replace(file, order=len(kept)))
    return kept

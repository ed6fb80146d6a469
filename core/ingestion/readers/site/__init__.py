"""Reads a book that is a site: its pages are fetched into a folder first and read from there."""

from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from core.errors import LibraryError
from core.ingestion.lesson import SourceFile
from core.ingestion.readers.html.page import title_from_name
from core.ingestion.readers.numbering import place_of_path
from core.ingestion.readers.site.crawl import Crawl
from core.ingestion.readers.site.fetching import Fetched, Fetcher, SiteLimits
from core.ingestion.readers.site.naming import path_of
from core.ingestion.unseen import Unseen


@dataclass(frozen=True, slots=True)
class FetchedSite:
    """A site's pages, fetched into a folder."""

    files: list[SourceFile]
    refused: tuple[str, ...]
    """One sentence for each page that was left out."""
    unseen: tuple[Unseen, ...]
    """What could not be looked at."""


async def fetch_site(fetcher: Fetcher, start: str, folder: Path, *, limits: SiteLimits) -> FetchedSite:
    """Fetch a site's pages into *folder*.

    Raises:
        LibraryError: nothing of it may or can be read.
        ServiceDown: it cannot be reached.
    """
    crawl = Crawl(fetcher, limits)
    files: list[SourceFile] = []
    async for page in crawl.pages(start):
        files.append(_stored(page, folder, order=len(files)))
    if not files:
        reasons = (*(each.reason for each in crawl.unseen), *crawl.refused, "it has no pages of text.")
        raise LibraryError(f"Nothing could be read from {start}: {reasons[0]}")
    return FetchedSite(_without_twins(files), tuple(crawl.refused), tuple(crawl.unseen))


def _stored(page: Fetched, folder: Path, *, order: int) -> SourceFile:
    path = path_of(page.address, page.kind)
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


def _without_twins(files: list[SourceFile]) -> list[SourceFile]:
    """Two addresses may give one file name; each file of a book has its own."""
    seen: set[str] = set()
    kept: list[SourceFile] = []
    for file in files:
        if file.path not in seen:
            seen.add(file.path)
            kept.append(replace(file, order=len(kept)))
    return kept

"""Reads an EPUB's table of contents: what each document is called, and which parts it stands in."""

from dataclasses import dataclass
from xml.etree.ElementTree import Element

from core.errors import UnreadableFile
from core.ingestion.readers.epub.package import Package, resolve
from core.ingestion.readers.epub.xml import all_named, local, parse_xml, words
from core.ingestion.readers.zips import SafeZip

MAX_ENTRIES = 20_000
MAX_DEPTH = 12


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a table of contents."""

    title: str
    parents: tuple[str, ...]
    document: str
    """The name in the zip of the document it leads to; empty for a part without a page of its own."""
    fragment: str | None


def read_contents(archive: SafeZip, package: Package) -> tuple[list[Entry], tuple[str, ...]]:
    """The table of contents, of EPUB 3 if there is one, else of EPUB 2, and what is wrong with it."""
    warnings: list[str] = []
    for name, read in ((package.nav, _from_nav), (package.ncx, _from_ncx)):
        entry = archive.find(name) if name is not None else None
        if entry is None:
            continue
        try:
            found = read(parse_xml(archive.read(entry), name="The table of contents"), entry.filename)
        except UnreadableFile as error:
            warnings.append(str(error))
            continue
        if found:
            return found[:MAX_ENTRIES], tuple(warnings)
    return [], (*warnings, "The book has no table of contents; its headings give the titles.")


def _from_nav(root: Element, base: str) -> list[Entry]:
    navs = all_named(root, "nav")
    kinds = [next((value for key, value in nav.items() if key.endswith("type")), "") for nav in navs]
    chosen = next((nav for nav, kind in zip(navs, kinds, strict=True) if "toc" in kind.split()), None)
    chosen = chosen if chosen is not None else next(iter(navs), None)
    entries: list[Entry] = []
    for child in chosen if chosen is not None else ():
        if local(child) == "ol":
            _nav_list(child, base, (), entries)
    return entries


def _nav_list(items: Element, base: str, parents: tuple[str, ...], entries: list[Entry]) -> None:
    for item in items:
        label = next((child for child in item if local(child) in {"a", "span"}), None)
        title = words(label) if label is not None else ""
        if title:
            entries.append(_entry(title, parents, base, label.get("href") if label is not None else None))
        nested = (child for child in item if local(child) == "ol")
        for child in nested if len(parents) < MAX_DEPTH else ():
            _nav_list(child, base, (*parents, title) if title else parents, entries)


def _from_ncx(root: Element, base: str) -> list[Entry]:
    entries: list[Entry] = []
    for point_list in all_named(root, "navMap"):
        _ncx_points(point_list, base, (), entries)
    return entries


def _ncx_points(outer: Element, base: str, parents: tuple[str, ...], entries: list[Entry]) -> None:
    for point in outer:
        if local(point) != "navPoint":
            continue
        label = next((child for child in point if local(child) == "navLabel"), None)
        content = next((child for child in point if local(child) == "content"), None)
        title = words(label) if label is not None else ""
        if title:
            entries.append(_entry(title, parents, base, content.get("src") if content is not None else None))
        if len(parents) < MAX_DEPTH:
            _ncx_points(point, base, (*parents, title) if title else parents, entries)


def _entry(title: str, parents: tuple[str, ...], base: str, href: str | None) -> Entry:
    target = resolve(base, href) if href else None
    document, fragment = target if target is not None else ("", None)
    return Entry(title=title, parents=parents, document=document, fragment=fragment)

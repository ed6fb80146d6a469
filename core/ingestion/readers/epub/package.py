"""Reads what an EPUB says about itself: its title, its documents in reading order, its table of contents."""

from collections.abc import Callable
from dataclasses import dataclass
from posixpath import dirname, normpath
from urllib.parse import unquote, urlsplit
from xml.etree.ElementTree import Element

from core.errors import UnreadableFile
from core.ingestion.readers.epub.xml import all_named, parse_xml, words
from core.ingestion.readers.zips import SafeZip

CONTAINER = "META-INF/container.xml"
ENCRYPTION = "META-INF/encryption.xml"
FONT_OBFUSCATION = frozenset({"http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"})
"""These only scramble fonts; the text stays readable (EPUB 3.3, section 4.3, and Adobe's older way)."""

READABLE_TYPES = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml", "image/svg+xml"})


@dataclass(frozen=True, slots=True)
class Package:
    """An EPUB's own description."""

    title: str
    spine: tuple[str, ...]
    """The names of the documents in the zip, in reading order."""
    nav: str | None
    ncx: str | None
    warnings: tuple[str, ...]


def read_package(archive: SafeZip, *, name: str) -> Package:
    """Find and read the package document.

    Raises:
        UnreadableFile: there is none, or the book is encrypted.
    """
    _refuse_encrypted(archive, name)
    opf = _package_name(archive, name)
    entry = archive.find(opf)
    if entry is None:
        raise UnreadableFile(f"{name} is not a complete EPUB: its package file {opf!r} is missing.")
    root = parse_xml(archive.read(entry), name=f"The package file of {name}")
    return _package(root, archive, entry.filename)


def resolve(base: str, href: str) -> tuple[str, str | None] | None:
    """The entry and element that *href*, found in the file *base*, leads to; None if it leads out of the book."""
    parts = urlsplit(href.strip())
    if parts.scheme or parts.netloc:
        return None
    path = unquote(parts.path)
    target = normpath(f"{dirname(base)}/{path}".lstrip("/")) if path else base
    if target.startswith(("..", "/")):
        return None
    return target, unquote(parts.fragment) or None


def _refuse_encrypted(archive: SafeZip, name: str) -> None:
    entry = archive.find(ENCRYPTION)
    if entry is None:
        return
    root = parse_xml(archive.read(entry), name=f"The encryption file of {name}")
    for encrypted in all_named(root, "EncryptedData"):
        methods = {method.get("Algorithm", "") for method in all_named(encrypted, "EncryptionMethod")}
        if not methods <= FONT_OBFUSCATION:
            raise UnreadableFile(f"{name} is protected by DRM, so it cannot be read. Use a copy without it.")


def _package_name(archive: SafeZip, name: str) -> str:
    container = archive.find(CONTAINER)
    if container is not None:
        root = parse_xml(archive.read(container), name=f"The container file of {name}")
        for rootfile in all_named(root, "rootfile"):
            if rootfile.get("full-path"):
                return rootfile.get("full-path", "")
    packages = sorted(entry.filename for entry in archive.entries if entry.filename.lower().endswith(".opf"))
    if not packages:
        raise UnreadableFile(f"{name} is a zip file but not an EPUB: it has no package file.")
    return packages[0]


def _package(root: Element, archive: SafeZip, opf: str) -> Package:
    manifest = _Manifest(root, archive, opf)
    spine, warnings = _spine(root, manifest)
    doubled = [f"{entry!r} is in the file twice; the last one is read." for entry in archive.duplicates]
    titles = (words(element) for element in all_named(root, "title"))
    return Package(
        title=next((title for title in titles if title), ""),
        spine=tuple(spine),
        nav=manifest.first(lambda item: "nav" in item.get("properties", "").split()),
        ncx=manifest.first(lambda item: item.get("media-type") == "application/x-dtbncx+xml"),
        warnings=(*doubled, *warnings),
    )


def _spine(root: Element, manifest: "_Manifest") -> tuple[list[str], list[str]]:
    spine: list[str] = []
    warnings: list[str] = []
    for reference in all_named(root, "itemref"):
        item = manifest.items.get(reference.get("idref", ""))
        entry = manifest.entry(item) if item is not None else None
        if item is None:
            warnings.append(f"The reading order names {reference.get('idref')!r}, which the book does not list.")
        elif entry is None:
            warnings.append(f"{item.get('href')!r} is listed but not in the file.")
        elif entry not in spine:
            spine.append(entry)
    if not spine:
        spine = manifest.documents()
        warnings.append("The book does not say its reading order; its documents are read as they are listed.")
    return spine, warnings


class _Manifest:
    """The files that a package document lists, looked up in the zip."""

    def __init__(self, root: Element, archive: SafeZip, opf: str) -> None:
        self.items = {item.get("id", ""): item for item in all_named(root, "item")}
        self._archive = archive
        self._opf = opf

    def entry(self, item: Element) -> str | None:
        """The name in the zip of what *item* points to; None if it is not there or outside."""
        target = resolve(self._opf, item.get("href", ""))
        found = self._archive.find(target[0]) if target is not None else None
        return found.filename if found is not None else None

    def first(self, is_wanted: Callable[[Element], bool]) -> str | None:
        entries = (self.entry(item) for item in self.items.values() if is_wanted(item))
        return next((entry for entry in entries if entry is not None), None)

    def documents(self) -> list[str]:
        readable = (item for item in self.items.values() if item.get("media-type") in READABLE_TYPES)
        return [entry for item in readable if (entry := self.entry(item)) is not None]

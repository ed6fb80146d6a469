"""One web page, parsed: its title, its blocks, its address and the links on it."""

from dataclasses import dataclass
from pathlib import PurePosixPath

from selectolax.lexbor import LexborHTMLParser, LexborNode

from core.errors import UnreadableFile
from core.ingestion.lesson import Block, BlockKind
from core.ingestion.readers.html.decoding import as_html, decode
from core.ingestion.readers.html.inline import plain
from core.ingestion.readers.html.main_content import main_content, whole_content
from core.ingestion.readers.html.walk import blocks_of

MAX_PAGE_BYTES = 32_000_000
_NOT_TEXT_AT_START = 1_024


@dataclass(frozen=True, slots=True)
class Page:
    """What a page says."""

    title: str
    blocks: tuple[Block, ...]
    canonical: str | None = None
    """The address that the page itself calls its own."""


def parse(raw: bytes, *, name: str, is_bare: bool = False) -> Page:
    """Read the page called *name*. *is_bare* says that nothing surrounds its content, as in a chapter of an EPUB.

    Raises:
        UnreadableFile: the bytes are not a page, or not one that can be read.
    """
    document = _document(raw, name)
    title = _title(document)
    canonical = _canonical(document)
    content = whole_content(document) if is_bare else main_content(document)
    blocks = blocks_of(content) if content is not None else ()
    return Page(title=title or _first_heading(blocks), blocks=blocks, canonical=canonical)


def links(raw: bytes, *, name: str) -> tuple[list[str], str | None]:
    """Every address a page links to, as written, and the one it calls its own."""
    document = _document(raw, name)
    found = [anchor.attributes.get("href") or "" for anchor in document.css("a[href]") if _may_follow(anchor)]
    return [address for address in found if address], _canonical(document)


def title_from_name(path: str) -> str:
    """A readable title made of a file's name: "02-first-steps.html" gives "02 first steps"."""
    stem = PurePosixPath(path).stem
    return " ".join(stem.replace("_", " ").replace("-", " ").split()) or path


def _document(raw: bytes, name: str) -> LexborHTMLParser:
    if len(raw) > MAX_PAGE_BYTES:
        raise UnreadableFile(f"{name} is larger than {MAX_PAGE_BYTES // 1_000_000} MB, so it was not read.")
    is_wide = raw.startswith((b"\xff\xfe", b"\xfe\xff"))
    if not is_wide and b"\0" in raw[:_NOT_TEXT_AT_START]:
        raise UnreadableFile(f"{name} is not text, so it cannot be read as a web page.")
    return LexborHTMLParser(as_html(decode(raw), name=name))


def _title(document: LexborHTMLParser) -> str:
    headings = [heading for heading in document.css("h1") if plain(heading)]
    if len(headings) == 1:
        return plain(headings[0])
    element = document.css_first("head title")
    named = " ".join(element.text().split()) if element is not None else ""
    return named or (plain(headings[0]) if headings else "")


def _first_heading(blocks: tuple[Block, ...]) -> str:
    return next((block.heading[-1] for block in blocks if block.kind is BlockKind.HEADING), "")


def _canonical(document: LexborHTMLParser) -> str | None:
    element = document.css_first("link[rel=canonical]")
    return element.attributes.get("href") if element is not None else None


def _may_follow(anchor: LexborNode) -> bool:
    return "nofollow" not in (anchor.attributes.get("rel") or "")

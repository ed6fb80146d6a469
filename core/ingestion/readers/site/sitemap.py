"""Reads what a site says about its pages: robots.txt and sitemaps."""

import zlib
from urllib.robotparser import RobotFileParser
from xml.etree.ElementTree import Element, ParseError

from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException

from core.errors import LibraryError
from core.ingestion.readers.site.addresses import tidied
from core.ingestion.readers.site.fetching import AGENT

MAX_UNPACKED_BYTES = 64_000_000
"""A sitemap holds at most 50 MB by its own standard."""


class Robots:
    """What a site allows. A site without robots.txt allows everything; one that cannot say, nothing."""

    def __init__(self, text: str) -> None:
        self._parser = RobotFileParser()
        self._parser.parse(text.splitlines())

    def allows(self, address: str) -> bool:
        return self._parser.can_fetch(AGENT, address)

    @property
    def delay_seconds(self) -> float:
        """What the site asks for between two pages."""
        return float(self._parser.crawl_delay(AGENT) or 0)

    @property
    def sitemaps(self) -> list[str]:
        return list(self._parser.site_maps() or ())


def read_sitemap(body: bytes, *, address: str) -> tuple[list[str], list[str]]:
    """The pages a sitemap lists and the further sitemaps it names, both absolute.

    Raises:
        LibraryError: it is not a sitemap, or one that unfolds without end.
    """
    root = _parsed(_unpacked(body, address), address)
    kind = root.tag.rpartition("}")[2] if isinstance(root.tag, str) else ""
    if kind not in {"urlset", "sitemapindex"}:
        raise LibraryError(f"{address} is not a sitemap.")
    found = [each for entry in root for each in (_location(entry, address),) if each]
    return (found, []) if kind == "urlset" else ([], found)


def _location(entry: Element, base: str) -> str | None:
    for child in entry:
        if isinstance(child.tag, str) and child.tag.rpartition("}")[2] == "loc" and child.text:
            return tidied(child.text, base=base)
    return None


def _unpacked(body: bytes, address: str) -> bytes:
    if not body.startswith(b"\x1f\x8b"):
        return body
    unpacker = zlib.decompressobj(wbits=31)
    try:
        unpacked = unpacker.decompress(body, MAX_UNPACKED_BYTES)
    except zlib.error as error:
        raise LibraryError(f"{address} is damaged.") from error
    if unpacker.unconsumed_tail:
        raise LibraryError(f"{address} unfolds to far more than its size, so it was not read.")
    return unpacked


def _parsed(body: bytes, address: str) -> Element:
    try:
        return ElementTree.fromstring(body.lstrip())
    except (DefusedXmlException, ParseError, ValueError, LookupError) as error:
        raise LibraryError(f"{address} is not a sitemap.") from error

"""Turns the bytes of a web page into text, and refuses pages that would stall the parser."""

import codecs
import re
from html import escape

from core.errors import UnreadableFile

MAX_NESTING = 2_000
"""The parser's time grows with the square of the nesting; pages written by people stay below a hundred."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9_.:-]+)""")
_DECLARED_WITHIN_BYTES = 2_048

# Tags that really nest: a paragraph or a list item closes the one before it.
_NESTING_TAG = re.compile(
    r"<(/?)(?:div|span|section|article|ul|ol|dl|blockquote|table|font|center|main|a|b|i|em|strong|small|big|u|s|"
    r"sub|sup|code|tt|q|ins|del|label|button|fieldset|details|figure|svg|g|math|mrow|object)\b([^<>]*)>",
    re.IGNORECASE,
)

# In XHTML any element may close itself; an HTML parser would take all that follows as its content.
_SELF_CLOSED = re.compile(r"<([A-Za-z][\w.-]*)((?:\s[^<>]*?)?)/>")
_VOID_TAGS = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)
_CDATA_START, _CDATA_END = "<![CDATA[", "]]>"
_PREFIXED_TAG = re.compile(r"<(/?)(?:m|mml|svg|xhtml|html|h):([A-Za-z])")


def decode(raw: bytes) -> str:
    """The page's text: by its byte order mark, then UTF-8 if it is, then what it declares."""
    for bom, encoding in _BOMS:
        if raw.startswith(bom):
            return raw.decode(encoding, errors="replace")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode(_declared_encoding(raw) or "cp1252", errors="replace")


def as_html(page: str, *, name: str) -> str:
    """The page in a form an HTML parser understands, even if it was written as XHTML.

    Raises:
        UnreadableFile: the elements are nested far deeper than a page written for reading.
    """
    _check_nesting(page, name)
    if "xmlns" not in page[:4_096] and not page.lstrip().startswith("<?xml"):
        return page
    page = _without_cdata(page)
    page = _PREFIXED_TAG.sub(r"<\1\2", page)
    return _SELF_CLOSED.sub(_opened_and_closed, page)


def _declared_encoding(raw: bytes) -> str | None:
    found = _DECLARED.search(raw[:_DECLARED_WITHIN_BYTES])
    if found is None:
        return None
    try:
        name = codecs.lookup(found[1].decode("ascii")).name
    except LookupError:
        return None
    # A page that declares UTF-8 and is not, is most often in the Windows code page.
    return None if name in {"utf-8", "ascii"} else name


def _check_nesting(page: str, name: str) -> None:
    depth = 0
    for tag in _NESTING_TAG.finditer(page):
        if tag[1]:
            depth = max(0, depth - 1)
        elif not tag[2].endswith("/"):
            depth += 1
        if depth > MAX_NESTING:
            raise UnreadableFile(
                f"{name} nests more than {MAX_NESTING} elements inside each other, so it was not read."
            )


def _without_cdata(page: str) -> str:
    before, *sections = page.split(_CDATA_START)
    parts = [before]
    for section in sections:
        literal, end, after = section.partition(_CDATA_END)
        parts.append(escape(literal, quote=False) + after if end else section)
    return "".join(parts)


def _opened_and_closed(tag: re.Match[str]) -> str:
    name, attributes = tag[1], tag[2]
    if name.lower() in _VOID_TAGS:
        return tag[0]
    return f"<{name}{attributes}></{name}>"

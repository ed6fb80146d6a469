"""A model's text without what could act on a reader's machine: links, mentions, markup, hidden characters."""

import re
from collections.abc import Collection

from core.text.cleaning import cleaned

_CODE = re.compile(r"(```.*?(?:```|\Z))", re.DOTALL)
_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)\s*", re.DOTALL | re.IGNORECASE)
_IMAGE = re.compile(r"!\[([^\[\]\n]{0,200})\]\([^()\n]{0,500}\)")
_LINK = re.compile(r"\[([^\[\]\n]{1,200})\]\([ ]?<?([^()\s<>]{1,500})>?(?:[ ][^()\n]{0,200})?\)")
_REFERENCE = re.compile(r"^[ ]{0,3}\[[^\[\]\n]{1,200}\]:[ \t]*\S.*$", re.MULTILINE)
_ADDRESS = re.compile(
    r"(?:[a-z][a-z0-9+.-]{1,20}://|(?<![a-z0-9_])(?:www\.|mailto:|javascript:|data:))[^\s<>)\]`\"'”]+",
    re.IGNORECASE,
)
_LOOPBACK = re.compile(r"https?://(?:localhost|127\.0\.0\.1|0\.0\.0\.0)(?=[:/]|$)", re.IGNORECASE)
_PLATFORM = re.compile(r"<[@!#:][^>\n]{0,100}>")
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,300}>|<!--[^<>]{0,1000}-->")
_SHOUT = re.compile(r"@(?=(?:everyone|here|channel|all)\b)", re.IGNORECASE)
_SOURCES = re.compile(
    r"\n[ \t#*_>-]{0,20}(?:sources?|references?|footnotes?|citations?|quellen|fuentes)\b[ \t*_]*:?[ \t*_]*\n.*\Z"
    r"|\n[ \t#*_>-]{0,20}(?:sources?|references?)[*_ ]*:[^\n]*\Z",
    re.IGNORECASE | re.DOTALL,
)


def tamed(text: str, *, known_urls: Collection[str] = ()) -> str:
    """The text with links only to *known_urls*, no mention that rings, no markup of another kind.

    A list of sources that the model added is taken out; footnotes are made from the marks. Code blocks
    stay as they are: they must stand in the book word for word to be shown at all.
    """
    bare = _SOURCES.sub("", _THINKING.sub("", cleaned(text)))
    parts = _CODE.split(bare)
    return "".join(part if i % 2 else _tamed_prose(part, known_urls) for i, part in enumerate(parts)).strip()


def without_addresses(quote: str) -> str:
    """The longest stretch of a quote that holds no address, so that it stays as it stands in the book."""
    parts = _ADDRESS.split(quote)
    return quote if len(parts) == 1 else max(parts, key=len).strip()


def _tamed_prose(text: str, known_urls: Collection[str]) -> str:
    def link(match: re.Match[str]) -> str:
        return match[0] if match[2] in known_urls else match[1]

    def address(match: re.Match[str]) -> str:
        url = match[0].rstrip(".,;:!?")
        is_fine = url in known_urls or _LOOPBACK.match(url)
        return match[0] if is_fine else match[0][len(url) :]

    text = _REFERENCE.sub("", _PLATFORM.sub("", _IMAGE.sub(r"\1", text)))
    text = _ADDRESS.sub(address, _LINK.sub(link, text))
    return _SHOUT.sub("", _outside_code_spans(text))


def _outside_code_spans(text: str) -> str:
    parts = re.split(r"(`[^`\n]+`)", text)
    return "".join(part if i % 2 else _TAG.sub("", part) for i, part in enumerate(parts))

"""Quoted words made readable: markup that only works on the book's own page is taken off."""

import re
from textwrap import dedent

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_IMAGE = re.compile(r"!\[[^\]\n]*\]\([^)\n]*\)")
_LINK = re.compile(r"\[([^\]\n]+)\](?:\([^)\n]*\)|\[[^\]\n]*\])")
_TAG = re.compile(r"</?[a-zA-Z][a-zA-Z0-9-]*(?:\s[^<>\n]*)?/?>")
_OWN_MARK = re.compile(r"[ \t]?\[\^?\d{1,3}(?:,[ ]?\d{1,3})*\](?!\()")
_ITEM_MARK = re.compile(r"(?:[-*+•]|\d{1,3}[.)]|\(?[a-z]\))[ \t]+(?:\[[ xX]\][ \t]+)?")
_QUOTE_MARK = re.compile(r"^[ \t]*>[ \t]?", re.MULTILINE)
_CODE = re.compile(r"(`[^`\n]+`)")


def shown_sentence(quote: str) -> str:
    """A sentence as it reads on its own: one line, without list marks, links and the book's own footnotes."""
    text = _QUOTE_MARK.sub("", _COMMENT.sub("", quote))
    text = _ITEM_MARK.sub("", text.lstrip(), count=1) if _ITEM_MARK.match(text.lstrip()) else text
    # What stands in backticks is code, and code is shown as it stands.
    parts = [part if part.startswith("`") else _plain(part) for part in _CODE.split(text)]
    return _balanced(" ".join("".join(parts).split()))


def shown_block(quote: str) -> str:
    """A list, code block or table line by line, moved to the left edge."""
    text = _QUOTE_MARK.sub("", quote) if quote.lstrip().startswith(">") else quote
    first, *rest = text.strip("\n").split("\n")
    # The quote begins after its first line's indent, which the other lines still have.
    lines = [first.strip(), *dedent("\n".join(rest)).split("\n")] if rest else [first.strip()]
    if any(line.lstrip().startswith(("```", "~~~")) for line in lines):
        return "\n".join(lines)
    return "\n".join(_plain(line) if "`" not in line else line for line in lines)


def _plain(text: str) -> str:
    text = _LINK.sub(r"\1", _IMAGE.sub("", text))
    return _OWN_MARK.sub("", _TAG.sub("", text))


def _balanced(text: str) -> str:
    """The text without emphasis that was opened or closed outside of it."""
    for mark in ("**", "__"):
        if text.count(mark) % 2:
            text = text.replace(mark, "")
    return text

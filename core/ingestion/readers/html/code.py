"""Writes a page's program listings as fenced code, with their language where the page names it."""

import re

from selectolax.lexbor import LexborNode

_LANGUAGE = re.compile(
    r"(?:^|\s)(?:language-|lang-|highlight-(?:source-)?|brush:\s*|sourceCode\s+)([A-Za-z0-9+#_-]+)"
)
_NO_LANGUAGE = frozenset({"default", "none", "text", "plaintext", "notranslate", "highlight", "numberSource"})
_LINE_NUMBERS = ".linenos, .lineno, .line-number, .line-numbers-rows, .gutter, .ln-num"
_LEVELS_UP = 3
"""A highlighter wraps a listing in up to this many elements and names the language on one of them."""


def code_text(pre: LexborNode) -> str:
    """The listing as written, fenced; empty when it holds only blanks."""
    for number in pre.css(_LINE_NUMBERS):
        number.decompose()
    for line_break in pre.css("br"):
        line_break.replace_with("\n")
    listing = pre.text().replace("\r\n", "\n").strip("\n").rstrip()
    return fenced(listing, language(pre)) if listing.strip() else ""


def fenced(listing: str, name: str = "") -> str:
    """*listing* between fences longer than any run of backticks inside it."""
    longest = max((len(run) for run in re.findall(r"`+", listing)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{name}\n{listing}\n{fence}"


def language(pre: LexborNode) -> str:
    """What the page calls the listing's language, or an empty string."""
    inner = pre.css_first("code")
    candidates = [inner, pre] if inner is not None else [pre]
    outer = pre.parent
    for _ in range(_LEVELS_UP):
        if outer is None or outer.tag in {"body", "article", "main", "section", "-document"}:
            break
        candidates.append(outer)
        outer = outer.parent
    for node in candidates:
        name = _named_on(node)
        if name:
            return name
    return ""


def _named_on(node: LexborNode) -> str:
    told = node.attributes.get("data-lang") or node.attributes.get("data-language")
    found = _LANGUAGE.search(node.attributes.get("class") or "")
    name = told or (found[1] if found else "")
    return "" if name in _NO_LANGUAGE else name.lower()

"""Writes the running text of a page as light Markdown: emphasis, code, formulas; links become their words."""

import re
from collections.abc import Callable

from selectolax.lexbor import LexborNode

from core.ingestion.readers.html.formulas import formula, is_display
from core.ingestion.readers.raised import lowered, raised

SKIPPED_TAGS = frozenset(
    {"script", "style", "template", "noscript", "iframe", "object", "embed", "canvas", "audio", "video", "map"}
    | {"input", "select", "textarea", "button", "head", "title", "meta", "link", "rp", "rt"}
)
"""What a reader of the page does not read."""

# Blocks inside running text: their words do not run into their neighbours'.
_SET_APART = frozenset({"div", "p", "li", "tr", "dd", "dt", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6"})
_BLANKS = re.compile(r"[ \t\r\n\f]+")
_PERMALINK_CLASSES = frozenset(
    {"headerlink", "copiable-link", "anchor-link", "hash-link", "anchorjs-link", "header-anchor"}
)
_MAX_DEPTH = 80


def inline(node: LexborNode) -> str:
    """The text of *node*'s children as one paragraph; line breaks that the page asks for are kept."""
    return tidy("".join(_pieces(node, 0)))


def inline_of(nodes: list[LexborNode]) -> str:
    """The text of neighbouring *nodes* as one paragraph."""
    return tidy("".join(_piece(node, 0) for node in nodes))


def plain(node: LexborNode) -> str:
    """The words of *node* without any marks, on one line."""
    return " ".join(unmarked(inline(node)).split())


def unmarked(text: str) -> str:
    """Light Markdown without its emphasis and code marks."""
    return re.sub(r"(?<!\\)(\*\*|`+|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*]))", "", text)


def tidy(text: str) -> str:
    """Blanks folded, and none at the ends of lines."""
    lines = (_BLANKS.sub(" ", line).strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def classes(node: LexborNode) -> set[str]:
    return set((node.attributes.get("class") or "").split())


def _pieces(node: LexborNode, depth: int) -> list[str]:
    return [_piece(child, depth + 1) for child in node.iter(include_text=True)]


def _piece(node: LexborNode, depth: int) -> str:
    tag = node.tag or ""
    if tag == "-text":
        return _BLANKS.sub(" ", node.text_content or "")
    write = _WRITERS.get(tag)
    if write is not None:
        return write(node)
    if tag.startswith("-") or tag in SKIPPED_TAGS:
        return ""
    if depth > _MAX_DEPTH:
        return _BLANKS.sub(" ", node.text())
    return _wrapped(node, tag, "".join(_pieces(node, depth)))


def _wrapped(node: LexborNode, tag: str, text: str) -> str:  # noqa: PLR0911  # one mark each, as a table
    match tag:
        case "em" | "i" | "cite" | "var" | "dfn":
            return _marked(text, "*")
        case "strong" | "b":
            return _marked(text, "**")
        case "a":
            return "" if classes(node) & _PERMALINK_CLASSES else text
        case "sup":
            return _raised(node, text)
        case "sub":
            return lowered(unmarked(text.strip())) if text.strip() else text
        case "q":
            return f"“{text.strip()}”"
    return f" {text} " if tag in _SET_APART else text


def _marked(text: str, mark: str) -> str:
    inner = text.strip()
    if not inner or "*" in inner or "\n" in inner or not any(char.isalnum() for char in inner):
        return text
    before = text[: len(text) - len(text.lstrip())]
    after = text[len(text.rstrip()) :]
    return f"{before}{mark}{inner}{mark}{after}"


def _code(node: LexborNode) -> str:
    text = _BLANKS.sub(" ", node.text())
    inner = text.strip()
    if not inner:
        return text
    fence = "``" if "`" in inner else "`"
    pad = " " if fence == "``" else ""
    return f"{fence}{pad}{inner}{pad}{fence}"


def _raised(node: LexborNode, text: str) -> str:
    inner = text.strip()
    is_note = node.css_first("a") is not None or (node.parent is not None and node.parent.tag == "a")
    if is_note and inner:
        return inner if inner.startswith("[") else f"[{inner}]"
    above = raised(unmarked(inner))
    return above if above.startswith("^") else text


def _image(node: LexborNode) -> str:
    alternative = (node.attributes.get("alt") or "").strip()
    if not alternative:
        return ""
    is_formula = "math" in classes(node) or alternative.startswith(("$", "\\("))
    if is_formula and not alternative.startswith(("$", "\\(")):
        return f"${alternative}$"
    return f" {alternative} "


def _svg(node: LexborNode) -> str:
    label = node.attributes.get("aria-label")
    words = [label] if label else [part.text() for part in node.css("title, desc, text")]
    return f" {' '.join(words)} " if words else ""


def _math(node: LexborNode) -> str:
    tex = formula(node)
    if not tex:
        return ""
    return f"\n$${tex}$$\n" if is_display(node) else f"${tex}$"


def _tex_script(node: LexborNode) -> str:
    kind = node.attributes.get("type") or ""
    if not kind.startswith("math/tex"):
        return ""
    tex = " ".join(node.text().split())
    return f"\n$${tex}$$\n" if "mode=display" in kind else f"${tex}$"


def _line_break(node: LexborNode) -> str:
    return "\n"


_WRITERS: dict[str, Callable[[LexborNode], str]] = {
    "br": _line_break,
    "img": _image,
    "math": _math,
    "svg": _svg,
    "script": _tex_script,
    "code": _code,
    "kbd": _code,
    "samp": _code,
    "tt": _code,
}

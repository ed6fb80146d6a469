"""Writes a page's bulleted and numbered lists as Markdown lists, with what is nested in them indented."""

from selectolax.lexbor import LexborNode

from core.ingestion.readers.html.code import code_text
from core.ingestion.readers.html.inline import inline_of

_NESTED_TAGS = frozenset({"ul", "ol", "pre", "p", "div", "dl", "blockquote", "section", "figure", "details"})
_MAX_DEPTH = 12


def list_items(node: LexborNode, depth: int = 0) -> list[str]:
    """Each item with its mark, continuation lines indented under it; empty items are left out."""
    items: list[str] = []
    number = _first_number(node)
    for child in node.iter():
        if child.tag in {"ul", "ol"}:
            # Invalid, and common: a list directly inside a list.
            items.extend(_indented(item, "  ") for item in list_items(child, depth + 1) if depth < _MAX_DEPTH)
            continue
        mark = f"{number}. " if node.tag == "ol" else "- "
        text = _item_text(child, depth)
        if text:
            items.append(mark + _indented(text, " " * len(mark)).lstrip())
            number += 1
    return items


def _item_text(item: LexborNode, depth: int) -> str:
    if depth > _MAX_DEPTH:
        return " ".join(item.text().split())
    parts: list[str] = []
    run: list[LexborNode] = []
    for child in item.iter(include_text=True):
        if child.tag not in _NESTED_TAGS:
            run.append(child)
            continue
        parts.append(inline_of(run))
        parts.append(_nested(child, depth))
        run = []
    parts.append(inline_of(run))
    return "\n".join(part for part in parts if part)


def _nested(node: LexborNode, depth: int) -> str:
    if node.tag in {"ul", "ol"}:
        return "\n".join(list_items(node, depth + 1))
    if node.tag == "pre":
        return code_text(node)
    return _item_text(node, depth + 1)


def _indented(text: str, margin: str) -> str:
    return "\n".join(margin + line if line else line for line in text.split("\n"))


def _first_number(node: LexborNode) -> int:
    start = node.attributes.get("start") or "1"
    return int(start) if start.isdecimal() and len(start) < 6 else 1

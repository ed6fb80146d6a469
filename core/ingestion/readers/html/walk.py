"""Walks the elements of a page in reading order and writes them down as blocks."""

import re

from selectolax.lexbor import LexborNode

from core.ingestion.lesson import Block, BlockKind
from core.ingestion.readers.blocks import BlockBuilder
from core.ingestion.readers.html.code import code_text
from core.ingestion.readers.html.formulas import formula, is_display
from core.ingestion.readers.html.inline import SKIPPED_TAGS, inline, inline_of, tidy, unmarked
from core.ingestion.readers.html.lists import list_items
from core.ingestion.readers.html.tables import is_layout, table_text

HEADING_TAGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
BLOCK_TAGS = HEADING_TAGS | frozenset(
    {"address", "article", "aside", "blockquote", "body", "center", "details", "dialog", "div", "fieldset", "form"}
    | {"figcaption", "figure", "footer", "header", "hgroup", "hr", "main", "nav", "p", "pre", "section", "summary"}
    | {"dl", "dt", "dd", "ol", "ul", "li", "table", "tbody", "td", "tfoot", "th", "thead", "tr"}
)
LIST_BLOCK_CHARS = 1_500
"""A longer list is handed over in several blocks, so that it can be cut between two items."""

_MAX_DEPTH = 120
# Pages often set a section's number apart by style alone: "1.2.2Tree recursion".
_NUMBER_BEFORE_TITLE = re.compile(r"^(\d+(?:\.\d+)*\.?)(?=[A-Z*`])")


def blocks_of(root: LexborNode) -> tuple[Block, ...]:
    """All that *root* has to read, as blocks under their headings."""
    walk = _Walk()
    walk.children(root, depth=0)
    return walk.builder.build()


class _Walk:
    def __init__(self) -> None:
        self.builder = BlockBuilder()
        # The id of an element that was entered but has shown nothing yet: the next block's place.
        self._entered_id: str | None = None

    def children(self, parent: LexborNode, *, depth: int) -> None:
        """Write *parent*'s content; runs of bare text between its block elements become paragraphs."""
        run: list[LexborNode] = []
        for child in parent.iter(include_text=True):
            if not _is_block(child):
                run.append(child)
                continue
            self._paragraph_of(run)
            run = []
            self._element(child, depth + 1)
        self._paragraph_of(run)

    def _element(self, node: LexborNode, depth: int) -> None:
        tag = node.tag or ""
        if tag in SKIPPED_TAGS or tag == "hr":
            return
        if depth > _MAX_DEPTH:
            self._add(BlockKind.PARAGRAPH, tidy(node.text()), None)
            return
        match tag:
            case "p":
                self._prose(node, depth)
            case "pre":
                self._add(BlockKind.CODE, code_text(node), node.id)
            case "table" if not is_layout(node):
                self._add(BlockKind.TABLE, table_text(node), node.id)
            case "ul" | "ol" if node.css_first("h1, h2, h3, h4, h5, h6, table") is None:
                self._list(node)
            case "dl":
                self._definitions(node, depth)
            case "blockquote":
                self._quote(node, depth)
            case "math":
                self._paragraph(f"$${formula(node)}$$", node.id)
            case _ if tag in HEADING_TAGS:
                self._heading(node, int(tag[1]))
            case _:
                self._container(node, depth)

    def _container(self, node: LexborNode, depth: int) -> None:
        self._entered_id = node.id or self._entered_id
        self.children(node, depth=depth)

    def _heading(self, node: LexborNode, level: int) -> None:
        shown = _NUMBER_BEFORE_TITLE.sub(r"\1 ", " ".join(inline(node).split()))
        if not shown:
            return
        anchor = node.id or _inner_id(node) or self._entered_id
        self._entered_id = None
        self.builder.heading(level, unmarked(shown), anchor=anchor, shown=shown)

    def _prose(self, node: LexborNode, depth: int) -> None:
        if _has_block_inside(node):
            self._container(node, depth)
            return
        self._paragraph(inline(node), node.id)

    def _list(self, node: LexborNode) -> None:
        group: list[str] = []
        for item in list_items(node):
            if group and sum(map(len, group)) + len(item) > LIST_BLOCK_CHARS:
                self._add(BlockKind.LIST, "\n".join(group), node.id)
                group = []
            group.append(item)
        self._add(BlockKind.LIST, "\n".join(group), node.id)

    def _definitions(self, node: LexborNode, depth: int) -> None:
        self._entered_id = node.id or self._entered_id
        terms: list[LexborNode] = []
        for child in node.css("dl > dt, dl > dd, dl > div > dt, dl > div > dd"):
            if _nearest_list(child) != node:
                continue
            if child.tag == "dt":
                terms.append(child)
                continue
            self._definition(terms, child, depth)
            terms = []
        self._terms(terms)

    def _definition(self, terms: list[LexborNode], meaning: LexborNode, depth: int) -> None:
        text = "" if _has_block_inside(meaning) else inline(meaning)
        if terms and text:
            anchor = terms[0].id or _inner_id(terms[0])
            self._paragraph(f"{_bold_terms(terms)}: {text}", anchor)
            return
        self._terms(terms)
        self._container(meaning, depth)

    def _terms(self, terms: list[LexborNode]) -> None:
        if terms:
            self._paragraph(_bold_terms(terms), terms[0].id or _inner_id(terms[0]))

    def _quote(self, node: LexborNode, depth: int) -> None:
        quoted = _Walk()
        quoted.children(node, depth=depth)
        text = "".join(block.text for block in quoted.builder.build()).rstrip("\n")
        lines = (f"> {line}".rstrip() for line in text.split("\n"))
        self._add(BlockKind.QUOTE, "\n".join(lines) if text else "", node.id)

    def _paragraph_of(self, run: list[LexborNode]) -> None:
        if run:
            anchor = next((node.id for node in run if node.tag != "-text" and node.id), None)
            self._paragraph(inline_of(run), anchor)

    def _paragraph(self, text: str, anchor: str | None) -> None:
        is_formula = text.startswith("$$") and text.endswith("$$") and len(text) > 4
        self._add(BlockKind.FORMULA if is_formula else BlockKind.PARAGRAPH, text, anchor)

    def _add(self, kind: BlockKind, text: str, anchor: str | None) -> None:
        if text.strip():
            self.builder.add(kind, text, anchor=anchor or self._entered_id)
            self._entered_id = None


def _is_block(node: LexborNode) -> bool:
    tag = node.tag or ""
    if tag in BLOCK_TAGS:
        return True
    if tag == "math":
        return is_display(node)
    return not tag.startswith("-") and tag not in SKIPPED_TAGS and _has_block_inside(node)


def _has_block_inside(node: LexborNode) -> bool:
    return any((inner.tag or "") in BLOCK_TAGS for inner in node.traverse() if inner != node)


def _inner_id(node: LexborNode) -> str | None:
    for inner in node.css("[id], a[name]"):
        if inner != node:
            return inner.id or inner.attributes.get("name")
    return None


def _nearest_list(node: LexborNode) -> LexborNode | None:
    outer = node.parent
    while outer is not None and outer.tag != "dl":
        outer = outer.parent
    return outer


def _bold_terms(terms: list[LexborNode]) -> str:
    names = [" ".join(inline(term).split()) for term in terms]
    return ", ".join(name if "*" in name else f"**{name}**" for name in names if name)

"""Markdown → the document tree. HTML is text; link definitions are text; marks are marks."""

import re
from collections.abc import Iterable, Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from bot.markup import tree
from bot.markup.maths import readable
from bot.markup.maths_rules import with_maths
from bot.markup.neutral import clean

_MARK = re.compile(r"\[(\d{1,3})\]")


def parse(markdown: str) -> tree.Document:
    """What *markdown* means. Half-written text (an open fence, an open bold) is closed where it ends."""
    root = SyntaxTreeNode(_parser().parse(clean(markdown)))
    return _blocks(root.children)


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    return with_maths(parser.disable(["reference", "html_block", "html_inline"]))


def _blocks(nodes: Iterable[SyntaxTreeNode]) -> tuple[tree.Block, ...]:
    return tuple(block for node in nodes if (block := _block(node)) is not None)


def _block(node: SyntaxTreeNode) -> tree.Block | None:
    block: tree.Block | None
    match node.type:
        case "heading":
            block = tree.Heading(int(node.tag[1:]), _inlines(node))
        case "fence" | "code_block":
            block = tree.Fence(node.content.rstrip("\n"), _language(node.info))
        case "maths_block":
            block = tree.Fence(readable(node.content))
        case "bullet_list":
            block = tree.Bullets(tuple(_blocks(item.children) for item in node.children))
        case "ordered_list":
            block = tree.Bullets(tuple(_blocks(item.children) for item in node.children), _start(node))
        case "blockquote":
            block = tree.Quote(_blocks(node.children))
        case "table":
            block = _table(node)
        case "hr":
            block = tree.Rule()
        case _:
            inside = _inlines(node)
            block = tree.Paragraph(inside) if inside else None
    return block


def _language(info: str) -> str:
    """The first word of a fence's line, where it is a plain name."""
    word = re.split(r"[\s,]", info.strip(), maxsplit=1)[0]
    return word if re.fullmatch(r"[A-Za-z0-9+#._-]{1,20}", word) else ""


def _start(node: SyntaxTreeNode) -> int:
    return int(node.attrs.get("start", 1))


def _table(node: SyntaxTreeNode) -> tree.Table:
    lines = [line for section in node.children for line in section.children]
    cells: list[tuple[tree.Cell, ...]] = [tuple(_inlines(cell) for cell in line.children) for line in lines]
    alignments = tuple(_align(cell) for cell in lines[0].children)
    return tree.Table(cells[0], tuple(cells[1:]), alignments)


def _align(cell: SyntaxTreeNode) -> tree.Align:
    style = str(cell.attrs.get("style", ""))
    return tree.Align(style.removeprefix("text-align:")) if style else tree.Align.LEFT


def _inlines(node: SyntaxTreeNode) -> tuple[tree.Inline, ...]:
    holders = [child for child in node.children if child.type == "inline"]
    return _joined(part for holder in holders for child in holder.children for part in _inline(child))


def _inside(node: SyntaxTreeNode) -> tuple[tree.Inline, ...]:
    return _joined(part for child in node.children for part in _inline(child))


def _inline(node: SyntaxTreeNode) -> Sequence[tree.Inline]:
    part: tree.Inline
    match node.type:
        case "strong":
            part = tree.Strong(_inside(node))
        case "em":
            part = tree.Emphasis(_inside(node))
        case "s":
            part = tree.Strike(_inside(node))
        case "code_inline":
            part = tree.Code(node.content)
        case "maths":
            part = tree.Maths(readable(node.content))
        case "link":
            part = _link(node)
        case "image":
            part = tree.Link((tree.Text(node.content or "picture"),), str(node.attrs.get("src", "")))
        case "hardbreak" | "softbreak":
            part = tree.LineBreak()
        case _:
            part = tree.Text(node.content)
    return [part] if part != tree.Text("") else []


def _link(node: SyntaxTreeNode) -> tree.Inline:
    """A link; or a mark, where a writer gave a mark an address of its own."""
    inside = _inside(node)
    match inside:
        case (tree.Text(text),) if re.fullmatch(r"\d{1,3}", text):
            return tree.Mark(int(text))
    return tree.Link(inside, str(node.attrs.get("href", "")))


def _joined(parts: Iterable[tree.Inline]) -> tuple[tree.Inline, ...]:
    """Neighbouring words as one text, its marks taken out."""
    joined: list[tree.Inline] = []
    for part in parts:
        if isinstance(part, tree.Text) and joined and isinstance(joined[-1], tree.Text):
            joined[-1] = tree.Text(joined[-1].text + part.text)
        else:
            joined.append(part)
    return tuple(
        found for part in joined for found in (_marks(part.text) if isinstance(part, tree.Text) else [part])
    )


def _marks(text: str) -> list[tree.Inline]:
    found: list[tree.Inline] = []
    for place, piece in enumerate(_MARK.split(text)):
        if place % 2:
            found.append(tree.Mark(int(piece)))
        elif piece:
            found.append(tree.Text(piece))
    return found

"""Markdown and MDX → blocks: parsed by lines, so that every word of the lesson is kept where it stood."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from core.ingestion.lesson import Block, BlockKind
from core.ingestion.readers.anchors import Anchors, explicit_anchor
from core.ingestion.readers.blocks import BlockBuilder
from core.ingestion.readers.fences import stretches
from core.ingestion.readers.formulas import formula_block
from core.ingestion.readers.inline import clean_inline, plain
from core.ingestion.readers.mdx import to_markdown

_KINDS = {
    "heading_open": BlockKind.HEADING,
    "paragraph_open": BlockKind.PARAGRAPH,
    "bullet_list_open": BlockKind.LIST,
    "ordered_list_open": BlockKind.LIST,
    "fence": BlockKind.CODE,
    "code_block": BlockKind.CODE,
    "table_open": BlockKind.TABLE,
    "blockquote_open": BlockKind.QUOTE,
    "formula": BlockKind.FORMULA,
}
_ALERT = re.compile(r"^([> \t]*>[ \t]*)\[!(\w{1,30})\][ \t]*", re.MULTILINE)
_FOOTNOTE = re.compile(r"^[ \t]{0,3}\[\^", re.MULTILINE)
_BLANK_LINES = re.compile(r"\n[ \t]*(?:\n[ \t]*)+\n")

MAX_NESTING = 20
"""Deeper lists and quotes are read as the text of the twentieth level."""


def markdown_blocks(body: str, *, is_mdx: bool) -> tuple[Block, ...]:
    """The blocks of a lesson whose front matter is already taken off."""
    text = to_markdown(body, is_mdx=is_mdx)
    lines = text.split("\n")
    environment: dict[str, Any] = {}
    tokens = _parser(is_mdx=is_mdx).parse(text, environment)
    references = {label.casefold() for label in environment.get("references", {})}
    builder = BlockBuilder()
    anchors = Anchors()
    for kind, content, token in _spans(tokens, lines, _definition_lines(environment)):
        if kind is BlockKind.HEADING:
            _add_heading(builder, anchors, content, token)
        else:
            builder.add(*_cleaned(kind, content, references))
    return builder.build()


def first_heading(blocks: Sequence[Block]) -> str | None:
    """The lesson's own title, where it opens with one."""
    return next(
        (b.heading[-1] for b in blocks[:20] if b.text.startswith("# ") and b.kind is BlockKind.HEADING), None
    )


@cache
def _parser(*, is_mdx: bool) -> MarkdownIt:
    # Inline text is cleaned by hand and tags are ordinary text here, since what stands between two
    # tags is Markdown in MDX. MDX has no indented code either.
    parser = (
        MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable("table").disable(["inline", "html_block"])
    )
    parser.block.ruler.before(
        "fence", "formula", formula_block, {"alt": ["paragraph", "reference", "blockquote", "list"]}
    )
    return parser.disable("code") if is_mdx else parser


def _definition_lines(environment: Mapping[str, Any]) -> frozenset[int]:
    """The lines that the parser took for link definitions; it takes short footnotes for such, too."""
    named = dict(environment.get("references", {})).items()
    repeated = ((each["label"], each) for each in environment.get("duplicate_refs", ()))
    return frozenset(
        line
        for label, definition in (*named, *repeated)
        if not label.startswith("^")
        for line in range(*definition["map"])
    )


def _spans(
    tokens: Sequence[Token], lines: Sequence[str], definitions: Collection[int]
) -> Iterator[tuple[BlockKind, str, Token | None]]:
    """Each outermost block with its lines. What no block claims are link definitions, or footnotes taken so."""
    reached = 0
    for position, token in enumerate(tokens):
        if token.level or token.map is None or token.nesting < 0:
            continue
        start, end = token.map
        yield from _footnotes(lines[reached:start])
        reached = max(reached, end)
        kind = _KINDS.get(token.type)
        if kind is BlockKind.HEADING:
            yield kind, tokens[position + 1].content, token
        elif kind is not None and (token.type != "fence" or token.content.strip()):
            yield kind, "\n".join(lines[at] for at in range(start, end) if at not in definitions), None
    yield from _footnotes(lines[reached:])


def _footnotes(lines: Sequence[str]) -> Iterator[tuple[BlockKind, str, Token | None]]:
    for line in lines:
        if _FOOTNOTE.match(line):
            yield BlockKind.PARAGRAPH, line, None


def _add_heading(builder: BlockBuilder, anchors: Anchors, content: str, token: Token | None) -> None:
    content, anchor = explicit_anchor(content)
    shown = " ".join(clean_inline(content).split())
    title = plain(content)
    if title and token is not None:
        builder.heading(int(token.tag[1:]), title, anchor=anchor or anchors.of(title), shown=shown)


def _cleaned(kind: BlockKind, text: str, references: Collection[str]) -> tuple[BlockKind, str]:
    if kind in (BlockKind.CODE, BlockKind.FORMULA):
        return kind, text.rstrip()
    if kind is BlockKind.PARAGRAPH and text.lstrip().startswith(("$$", "\\[", "\\begin{")):
        return BlockKind.FORMULA, text.rstrip()
    if kind is BlockKind.QUOTE and "[!" in text:
        text = _ALERT.sub(lambda match: f"{match[1]}**{match[2].capitalize()}:** ", text)
    if kind in (BlockKind.LIST, BlockKind.QUOTE) and ("```" in text or "~~~" in text):
        parts = (part if is_code else clean_inline(part, references) for is_code, part in stretches(text))
        return kind, "".join(parts).rstrip()
    cleaned = clean_inline(text, references)
    if cleaned is not text and kind is BlockKind.PARAGRAPH:
        cleaned = "\n".join(line.strip() for line in _BLANK_LINES.sub("\n\n", cleaned).strip().split("\n"))
    return kind, cleaned.rstrip()

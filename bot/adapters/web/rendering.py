"""Markdown from books, members and models as HTML that can do no harm: no raw HTML, no pictures, safe links."""

import re
from collections.abc import Mapping, Sequence
from html import escape

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

_MARK = re.compile(r"\[(\d{1,3})\]")


class _SafeRenderer(RendererHTML):
    """Draws what the page's policy would not load, or must lead elsewhere, in its own way."""

    def image(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """Pictures are not kept with a book, so their description stands for them."""
        described = escape(self.renderInlineAsText(tokens[idx].children or [], options, env).strip())
        return f'<span class="picture">{described or "picture"}</span>'

    def link_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        address = str(tokens[idx].attrGet("href") or "")
        if not address.startswith(("/", "#")):
            tokens[idx].attrSet("target", "_blank")
            tokens[idx].attrSet("rel", "noopener noreferrer nofollow")
        return self.renderToken(tokens, idx, options, env)

    def footnote_mark(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        number, label = tokens[idx].content, escape(str(tokens[idx].meta["label"]))
        return (
            f'<button type="button" class="mark" data-number="{number}" aria-label="Footnote {number}: {label}">'
            f"{number}</button>"
        )


def markdown() -> MarkdownIt:
    """A parser that knows tables and strike-through and treats HTML as words."""
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False}, renderer_cls=_SafeRenderer)
    parser.enable(["table", "strikethrough"])
    parser.core.ruler.push("footnote_marks", _footnote_marks)
    return parser


def render(text: str, *, footnotes: Mapping[int, str] | None = None) -> str:
    """*text* as safe HTML; marks [n] that *footnotes* names become buttons labelled with its words."""
    return str(markdown().render(text, {"footnotes": footnotes or {}}))


def _footnote_marks(state: StateCore) -> None:
    """Turn [n] in running text, never in code, into a token of its own."""
    footnotes: Mapping[int, str] = state.env.get("footnotes", {})
    if not footnotes:
        return
    for token in state.tokens:
        if token.type == "inline" and token.children:
            token.children = [part for child in token.children for part in _split(child, footnotes)]


def _split(token: Token, footnotes: Mapping[int, str]) -> list[Token]:
    if token.type != "text" or "[" not in token.content:
        return [token]
    parts: list[Token] = []
    end = 0
    for found in _MARK.finditer(token.content):
        label = footnotes.get(int(found[1]))
        if label is None:
            continue
        parts.append(_text(token.content[end : found.start()]))
        parts.append(Token("footnote_mark", "", 0, content=found[1], meta={"label": label}))
        end = found.end()
    return [*parts, _text(token.content[end:])]


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)

"""Finds formulas in Markdown before its own escapes would eat them."""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

_PAIRS = (("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$"))
_LOOKS_LIKE_MATHS = re.compile(r"[\\^_=+*/<>{}|]|(?<=\w)-(?=\w)")


def with_maths(parser: MarkdownIt) -> MarkdownIt:
    """Teach *parser* formulas: $…$, $$…$$, \\(…\\) and \\[…\\]."""
    parser.inline.ruler.before("escape", "maths", _inline_maths)
    parser.block.ruler.before("fence", "maths_block", _block_maths, {"alt": ["paragraph", "blockquote", "list"]})
    return parser


def _inline_maths(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] not in "$\\":
        return False
    for opening, closing in _PAIRS:
        if not state.src.startswith(opening, state.pos):
            continue
        start = state.pos + len(opening)
        end = state.src.find(closing, start, state.posMax)
        if end == -1 or not _is_formula(state.src, start, end, opening):
            continue
        if not silent:
            token = state.push("maths", "", 0)
            token.content = state.src[start:end]
        state.pos = end + len(closing)
        return True
    return False


def _is_formula(source: str, start: int, end: int, opening: str) -> bool:
    """Whether it is a formula rather than two prices."""
    inside = source[start:end]
    if not inside.strip():
        return False
    if opening != "$":
        return True
    if inside[0].isspace() or inside[-1].isspace() or source[end + 1 : end + 2].isdigit() or "\n\n" in inside:
        return False
    return bool(_LOOKS_LIKE_MATHS.search(inside)) or inside.isalnum()


def _block_maths(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    first = _line(state, start_line)
    closing = {"$$": "$$", "\\[": "\\]"}.get(first[:2])
    if closing is None:
        return False
    for last in range(start_line, end_line):
        line = _line(state, last)
        is_closed = line.rstrip().endswith(closing) and (last > start_line or len(line.rstrip()) > 3)
        if not is_closed:
            continue
        if silent:
            return True
        lines = [_line(state, number) for number in range(start_line, last + 1)]
        token = state.push("maths_block", "", 0)
        token.content = "\n".join(lines).rstrip()[2:-2].strip()
        state.line = last + 1
        return bool(token.content)
    return False


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]

"""Tells formulas from prose in Markdown: a formula's signs are its own, and no markup."""

import re

from markdown_it.rules_block import StateBlock

# What is between the marks is bounded, so that no text makes this take more than linear time. A dollar after a
# blank or before a digit closes nothing: "$5 and $10" are prices. mdBook wants two backslashes: \\( and \\).
INLINE_FORMULA = re.compile(
    r"(?<![\\$])\$\$(?!\$)(?:[^$\\\0]|\\[^\0]){1,4000}\$\$"
    r"|(?<![\\$\w])\$(?![\s$])(?:[^$\\\n\0]|\\[^\0]|\n(?![ \t]*\n)){1,500}(?<!\s)\$(?![\w$])"
    r"|(?<!\\)\\{1,2}\((?:[^\\\0]|\\(?![()])[^\0]){1,1000}?\\{1,2}\)"
)

MAX_FORMULA_LINES = 200
"""Where a formula is still open after this many lines, its mark was something else."""

_HEADING = re.compile(r"#{1,6}\s")
_OPENING = re.compile(r"\$\$(?!\$)|\\{1,2}\[")


def formula_block(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """A rule for the parser: the lines from an opening $$ or \\[ to the closing one are one block.

    Without it, a line "=" would make a heading of what is above it, and a line "- c" a list.
    """
    if state.is_code_block(start_line):
        return False
    first = _line(state, start_line)
    opening = _OPENING.match(first)
    if opening is None:
        return False
    closing = "$$" if opening[0] == "$$" else "\\]"
    if closing in first[opening.end() :]:
        return False
    end = _end(state, start_line, end_line, closing, is_roomy=first == opening[0])
    if end is not None and not silent:
        state.line = end
        token = state.push("formula", "", 0)
        token.map = [start_line, end]
    return end is not None


def _end(state: StateBlock, start_line: int, end_line: int, closing: str, *, is_roomy: bool) -> int | None:
    """The line after the formula's last one.

    Only a mark on a line of its own leaves room for blank lines. No formula reaches over a heading: one that was
    left open would take in the section after it.
    """
    vain_from, vain_to = state.env.get(closing, (0, 0))
    number = max(start_line + 1, vain_to if vain_from <= start_line else 0)
    end_line = min(end_line, start_line + MAX_FORMULA_LINES)
    while number < end_line:
        line = _line(state, number)
        is_outside = line and state.sCount[number] < state.blkIndent
        if is_outside or not (line or is_roomy) or _HEADING.match(line):
            break
        if closing in line:
            return number + 1
        number += 1
    # Lines already searched in vain: without this, a page of unclosed formulas takes quadratic time.
    state.env[closing] = (start_line, number)
    return None


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]].strip()

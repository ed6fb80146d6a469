"""Tells fenced code from everything else, line by line."""

import re
from collections.abc import Iterator

_FENCE = re.compile(r"^[ >\t]{0,40}(?:(?:[-*+]|\d{1,9}[.)])[ \t]+){0,3}(`{3,}|~{3,})([^\n]*)$")


def stretches(text: str) -> Iterator[tuple[bool, str]]:
    """The text cut into (is it fenced code, lines) in turn. A fence that never closes runs to the end."""
    lines: list[str] = []
    fence = ""
    in_comment = False
    for line in text.splitlines(keepends=True):
        mark = None if in_comment else _FENCE.match(line.rstrip("\n"))
        if fence:
            lines.append(line)
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                yield True, "".join(lines)
                lines, fence = [], ""
            continue
        if mark and "`" not in mark[2]:
            if lines:
                yield False, "".join(lines)
            lines, fence = [line], mark[1]
            continue
        lines.append(line)
        in_comment = _comment_open(line, in_comment)
    if lines:
        yield bool(fence), "".join(lines)


def _comment_open(line: str, is_open: bool) -> bool:
    """A fence inside a comment is part of the comment."""
    start, end = line.rfind("<!--"), line.rfind("-->")
    if start >= 0 or end >= 0:
        return start > end and "`" not in line
    return is_open

"""Shows which words of a passage support an answer, whatever markup they run through."""

import re

from bot.adapters.web.rendering import render

# Rare paired punctuation: Markdown closes emphasis beside punctuation, as it would at the end of a line.
_OPEN, _CLOSE = "\u2e28", "\u2e29"
_BLOCK_START = re.compile(r"(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)]|#{1,6}|\|)(?=[ \t]|$)[ \t]*)+|[ \t]*\|[ \t]*|[ \t]+")
_FENCE_LINE = re.compile(r"[ \t]*(?:```|~~~)[^\n]*\n")
_TAG = re.compile(r"(<[^>]*>)")


def render_marked(text: str, quote: str) -> str:
    """*text* as safe HTML with *quote*, where it stands in it word for word, inside <mark> elements."""
    span = find_quote(text, quote)
    if span is None or _OPEN in text or _CLOSE in text:
        return render(text)
    start, end = _past_block_start(text, span[0]), _before_block_end(text, span[1])
    if start >= end:
        return render(text)
    html = render(f"{text[:start]}{_OPEN}{text[start:end]}{_CLOSE}{text[end:]}")
    return _mark(html) if _OPEN in html and _CLOSE in html else render(text)


def find_quote(text: str, quote: str) -> tuple[int, int] | None:
    """Where *quote* stands in *text*, white space aside; None where it does not."""
    words = quote.strip().removesuffix("…").split()
    if not words:
        return None
    found = re.search(r"\s+".join(re.escape(word) for word in words), text)
    return found.span() if found else None


def _past_block_start(text: str, start: int) -> int:
    """A mark before a list bullet, heading sign or fence would hide it from the parser."""
    line_start = text.rfind("\n", 0, start) + 1
    if fence := _FENCE_LINE.match(text, line_start):
        return max(start, fence.end())
    block = _BLOCK_START.match(text, line_start)
    return max(start, block.end()) if block else start


def _before_block_end(text: str, end: int) -> int:
    """A mark behind a closing fence or a row's last border would belong to no element."""
    line_start = text.rfind("\n", 0, end) + 1
    if _FENCE_LINE.match(f"{text[line_start:end]}\n"):
        return max(line_start - 1, 0)
    return len(text[:end].rstrip(" \t|"))


def _mark(html: str) -> str:
    """Replace the two signs by <mark> elements that never cross another element's border."""
    parts: list[str] = []
    is_inside = False
    for piece in _TAG.split(html):
        if piece.startswith("<"):
            parts.append(piece.replace(_OPEN, "").replace(_CLOSE, ""))
            continue
        before, opened, rest = piece.partition(_OPEN)
        if not opened:
            before, rest = "", piece
        is_inside = is_inside or bool(opened)
        marked, closed, after = rest.partition(_CLOSE)
        parts.append(before + (f"<mark>{marked}</mark>" if is_inside and marked.strip() else marked) + after)
        is_inside = is_inside and not closed
    return "".join(parts)

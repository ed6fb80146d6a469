"""The listing that belongs to a sentence: who asks how something is written wants to see it written."""

import re

from core.text.sentences import Span, SpanKind, sentences

MOST_BETWEEN = 2
"""Sentences that may stand between one that answers and the code that shows it."""
_ASKS_HOW = re.compile(
    r"\bhow (?:do|can|could|should|would) (?:i|you|we|one)\b|\bhow to\b"
    r"|\bhow (?:is|are) .{1,60}\b(?:written|declared)\b"
    r"|\b(?:show|give|write|see)\b.{0,60}\b(?:example|code|snippet|listing)\b|\b(?:syntax|snippet)\b"
    r"|\b(?:which|what) (?:is the )?commands?\b|\b(?:code|commands?) (?:for|to|that)\b",
    re.IGNORECASE,
)


_ASKS_TO_WRITE = re.compile(r"\b(?:write|define|declare|implement)\b", re.IGNORECASE)
_COMMANDS = re.compile(
    r"^[ >\t]*(?:`{3,}|~{3,})[ \t]*(?:bash|sh|shell|zsh|console|powershell|bat|cmd)\b", re.MULTILINE
)


def wants_listing(question: str) -> bool:
    """Whether a question asks how something is done or written; one that brings its own code asks about that."""
    return "```" not in question and _ASKS_HOW.search(question) is not None


def is_beside_writing(question: str, block: str) -> bool:
    """Whether a question asks how something is written, and *block* only has commands to run it."""
    return wants_listing(question) and bool(_ASKS_TO_WRITE.search(question) and _COMMANDS.search(block))


def listing_after(text: str, end: int) -> Span | None:
    """The code that shows what the sentence before *end* says: next to it, in the same section."""
    following = [span for span in sentences(text) if span.start >= end]
    for span in following[: MOST_BETWEEN + 1]:
        if span.kind is SpanKind.CODE:
            return span
        if span.kind is SpanKind.HEADING:
            return None
    return None

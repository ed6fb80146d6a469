"""How alike two texts are by their words."""

import re

SAME = 0.75
"""Two passages of which one has so many of the other's words say the same; the second adds nothing."""
_WORD = re.compile(r"\w+")


def likeness(one: str, other: str) -> float:
    """The share of words two texts have in common, from 0 (none) to 1 (the same words)."""
    first, second = word_set(one), word_set(other)
    either = len(first | second)
    return len(first & second) / either if either else 0.0


def repeats(one: str, other: str) -> bool:
    """Whether the shorter of two texts says hardly anything that the longer does not."""
    first, second = word_set(one), word_set(other)
    return len(first & second) >= SAME * min(len(first), len(second))


def word_set(text: str) -> frozenset[str]:
    """The different words of a text, in lower case."""
    return frozenset(_WORD.findall(text.lower()))

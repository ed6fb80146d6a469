"""How alike two texts are by their words."""

import re

_WORD = re.compile(r"\w+")


def likeness(one: str, other: str) -> float:
    """The share of words two texts have in common, from 0 (none) to 1 (the same words)."""
    first, second = word_set(one), word_set(other)
    either = len(first | second)
    return len(first & second) / either if either else 0.0


def word_set(text: str) -> frozenset[str]:
    """The different words of a text, in lower case."""
    return frozenset(_WORD.findall(text.lower()))

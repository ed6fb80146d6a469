"""A passage taken apart into what it says of which thing."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.retrieval.words import STOP_WORDS, Words

LEAD_WORDS = 2
"""What a statement begins with: a name is seldom longer, and what follows is mostly its verb."""
_TOKEN = re.compile(r"`[^`\n]+`|[A-Za-z][A-Za-z0-9_]*(?:[-'’][A-Za-z]+)*|\d+(?:\.\d+)?")
_POSSESSIVE = re.compile(r"['’]s?$")
_BREAK = r"(?:;|,\s+(?:and|while|whereas|but)\b|\s+(?:while|whereas)\b)\s*"
_STATEMENT = re.compile(_BREAK, re.IGNORECASE)
_PART = re.compile(rf"{_BREAK}|\s+and\s+(?=(?:the|an?)\s)", re.IGNORECASE)
_LEANS = re.compile(
    r"\W*(?:it|its|they|their|them|this|these|that|those|he|she|such|both|one|each|every|here|there|then|so|but|and"
    r"|instead|otherwise|if|when|while|because|as|to|you|we|your|let|short|which)\b(?!-)"
    r"|\W*(?:on|in|at|for|with|by|from|under|after|before)\b.*\b(?:it|they)\b",
    re.IGNORECASE | re.DOTALL,
)
"""How a statement begins that goes on about what was named before it."""
_ITEM = re.compile(r"^\s*(?:\d{1,3}[.)]|[-*+•])\s+")


@dataclass(frozen=True, slots=True)
class Statement:
    """What a passage says of one thing."""

    lead: tuple[str, ...]
    """What it begins with; empty where it goes on about what was named before."""
    names: frozenset[str]
    """Its words as they are written, with those of what it leans on."""
    stems: tuple[str, ...]


def to_statements(sentences: Iterable[str], words: Words) -> Iterator[Statement]:
    """Every statement of some sentences in a row. A line of a table or list is one of its own."""
    before: tuple[str, ...] = ()
    for sentence in sentences:
        for part in _STATEMENT.split(_ITEM.sub("", sentence)):
            names = tuple(to_names(part))
            if not names:
                continue
            is_leaning = _LEANS.match(part) is not None
            lead = () if is_leaning else names[:LEAD_WORDS]
            before = (*before, *names) if is_leaning else names
            yield Statement(lead, frozenset(before), tuple(to_stems(names, words)))


def to_parts(claim: str) -> list[str]:
    """The parts of a claim that each may speak of a thing of their own."""
    return _PART.split(claim)


def to_names(text: str) -> list[str]:
    """The words that may name something, as they are written but for possession and number."""
    plain = (_plain(token) for token in _TOKEN.findall(text))
    return [name for name in plain if name and name not in STOP_WORDS]


def to_stems(names: Iterable[str], words: Words) -> list[str]:
    """Names of code as a whole, other words without their endings."""
    return [stem for name in names for stem in (words.of_text(name) if name.isalpha() else [name])]


def _plain(token: str) -> str:
    word = _POSSESSIVE.sub("", token.strip("`")).casefold()
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word

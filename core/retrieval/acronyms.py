"""Acronyms a book explains in passing: "inertial measurement unit (IMU)"."""

import re
from collections.abc import Mapping

_EXPLAINED = re.compile(r"((?:[\w/]+[ \-]){1,7}[\w/]+)[ ]\(([A-Z][A-Za-z0-9]{1,7}?)s?\)")
_SPELLED_OUT = re.compile(r"\b([A-Z][A-Za-z0-9]{1,7})[ ]\(((?:[\w/]+[ \-]){1,7}[\w/]+)\)")
_JOIN = re.compile(r"[ \-/]+")
_SMALL = frozenset(("a", "an", "and", "for", "in", "of", "on", "the", "to"))


def acronyms_in(text: str) -> dict[str, str]:
    """Each acronym that a text explains, in capitals, with the words it stands for in lower case."""
    found: dict[str, str] = {}
    pairs = [(match[2], match[1]) for match in _EXPLAINED.finditer(text)]
    pairs += [(match[1], match[2]) for match in _SPELLED_OUT.finditer(text)]
    for acronym, words in pairs:
        if sum(map(str.isupper, acronym)) >= 2 and (meant := _meant(acronym, words)):
            found.setdefault(acronym.upper(), meant)
    return found


def related(question: str, known: Mapping[str, str]) -> list[str]:
    """What a question's acronyms stand for, and the acronyms of what it spells out."""
    words = re.findall(r"\w+", question.lower())
    plain, asked = " ".join(words), set(words)
    return [
        meant if acronym.lower() in asked else acronym
        for acronym, meant in known.items()
        if (acronym.lower() in asked) != (f" {meant} " in f" {plain} ")
    ]


def _meant(acronym: str, words: str) -> str | None:
    """The last words whose initials make up the acronym, small words between them allowed."""
    letters = [letter for letter in acronym.lower() if letter.isalpha()]
    parts = _JOIN.split(words.lower())
    taken: list[str] = []
    for part in reversed(parts):
        if letters and part.startswith(letters[-1]):
            letters.pop()
        elif part not in _SMALL:
            return None
        taken.append(part)
        if not letters:
            return " ".join(reversed(taken))
    return None

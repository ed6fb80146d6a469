"""Acronyms a book explains in passing: "inertial measurement unit (IMU)"."""

import re
from collections.abc import Mapping

_BRACKETS = re.compile(r"[ ]\(([^()\n]{2,80})\)")
_ACRONYM = re.compile(r"([A-Z][A-Za-z0-9]{1,7}?)s?")
_WORDS_BEFORE = re.compile(r"((?:[\w/]+[ \-]){0,7}[\w/]+)$")
BEFORE_CHARS = 100
"""How far before a bracket the words that it abbreviates may begin."""
_JOIN = re.compile(r"[ \-/]+")
_SMALL = frozenset(("a", "an", "and", "for", "in", "of", "on", "the", "to"))


def acronyms_in(text: str) -> dict[str, str]:
    """Each acronym that a text explains, in capitals, with the words it stands for in lower case."""
    found: dict[str, str] = {}
    for bracket in _BRACKETS.finditer(text):
        words = _WORDS_BEFORE.search(text, max(0, bracket.start() - BEFORE_CHARS), bracket.start())
        if words is None:
            continue
        inside, before = bracket[1], words[1]
        # "inertial measurement unit (IMU)", or the other way round.
        for short, long in ((inside, before), (before.split()[-1], inside)):
            acronym = _ACRONYM.fullmatch(short)
            if acronym and sum(map(str.isupper, short)) >= 2 and (meant := _meant(acronym[1], long)):
                found.setdefault(acronym[1].upper(), meant)
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

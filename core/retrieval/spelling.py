"""Misspelt words of a question, and the words of the book they may stand for."""

import re
from collections.abc import Mapping, Set

from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

LONG_LETTERS = 9
"""From here on two slips are forgiven; below five letters none, since "mode" is no slip for "node"."""
_WORD = re.compile(r"(?<![\w`./-])[a-zA-Z]{5,}(?![\w`/-])")


def spellings_in(text: str) -> set[str]:
    """The words of a text that a misspelling could stand for."""
    return {word.lower() for word in _WORD.findall(text)}


def respellings(text: str, spellings: Mapping[str, Set[str]]) -> list[str]:
    """For each word that the book does not have the one of its words it resembles most, if there is one.

    *spellings* are the book's words by first letter. Names in capitals are left alone: TSDF is no slip for SDF.
    """
    found = (_respelling(word, spellings) for word in _WORD.findall(text))
    return [word for word in found if word is not None]


def _respelling(word: str, spellings: Mapping[str, Set[str]]) -> str | None:
    plain = word.lower()
    known = spellings.get(plain[0], frozenset())
    if plain in known or sum(map(str.isupper, word)) > 1:
        return None
    slips = 2 if len(plain) >= LONG_LETTERS else 1
    best = process.extractOne(plain, known, scorer=DamerauLevenshtein.distance, score_cutoff=slips)
    return best[0] if best else None

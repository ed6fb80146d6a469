"""What a question asks for, read from its words alone."""

import re

from core.retrieval.words import STOP_WORDS

_WORD = re.compile(r"[^\W_]+(?:['’\-_.]\w+)*|\w+")
_FILLER_WORDS = """
    according also answer best book call called chapter define definition describe detail details difference
    example examples explain false following give given kind like main many mean meaning means much name need
    option options passage please primary purpose question say says show statement tell term thing true type
    types use used uses using want way ways word work works
"""
_FILLER = frozenset(_FILLER_WORDS.split())
"""Words people ask with rather than about."""


def content_words(question: str) -> list[str]:
    """The words a question is about, once each, in its own order and spelling."""
    words: dict[str, str] = {}
    for word in _WORD.findall(question):
        plain = word.lower()
        if plain not in STOP_WORDS and plain not in _FILLER and len(plain) > 1:
            words.setdefault(plain, word)
    return list(words.values())

"""What a question asks for, read from its words alone."""

import re

from core.retrieval.words import STOP_WORDS

_WORD = re.compile(r"[^\W_]+(?:['’\-_.]\w+)*|\w+")
_FILLER_TEXT = """
    according also answer best book call called chapter consider correct define definition describe detail
    details difference example examples explain false following give given key kind like likely main many mean
    meaning means most much name need option options passage please primary purpose question say says show stand
    stands statement tell term thing true type types use used uses using want way ways word work works
"""
FILLER = frozenset(_FILLER_TEXT.split())
"""Words people ask with rather than about."""

LEAST_FOCUS_WORDS = 4
_FENCED = re.compile(r"(`{3,}|~{3,}).*?(?:\1|\Z)", re.DOTALL)
_OPTIONS = re.compile(r"\n\s*(?:options|choices)\s*:?\s*\n.*", re.DOTALL | re.IGNORECASE)


def content_words(question: str) -> list[str]:
    """The words a question is about, once each, in its own order and spelling."""
    words: dict[str, str] = {}
    for word in _WORD.findall(question):
        plain = word.lower()
        if plain not in STOP_WORDS and plain not in FILLER and len(plain) > 1:
            words.setdefault(plain, word)
    return list(words.values())


def focus(question: str) -> str:
    """The question itself, without the code and the options it comes with; all of it where little is left."""
    bare = _OPTIONS.sub("", _FENCED.sub(" ", question))
    return " ".join(bare.split()) if len(bare.split()) > LEAST_FOCUS_WORDS else question

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

_LIST = re.compile(
    r"\b(?:what are|which are|list|name (?:the|all|some|two|three|four)|steps?|stages|phases|types|kinds|ways|"
    r"how (?:do|can|should|would) (?:i|you|we|one)|how to|procedure|components|parts|advantages|disadvantages|"
    r"benefits|differences|reasons|rules|requirements|categories|examples|are there)\b",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"\b(?:code|commands?|snippet|script|syntax|example of|write|implement|install|configure|define a|create|"
    r"declare|call|run|launch|build|how (?:do|can|should|would) (?:i|you|we|one)|how to)\b|`",
    re.IGNORECASE,
)


def content_words(question: str) -> list[str]:
    """The words a question is about, once each, in its own order and spelling."""
    words: dict[str, str] = {}
    for word in _WORD.findall(question):
        plain = word.lower()
        if plain not in STOP_WORDS and plain not in FILLER and len(plain) > 1:
            words.setdefault(plain, word)
    return list(words.values())


def wants_list(question: str) -> bool:
    """Whether several things or steps are asked for, so that a whole list is the answer."""
    return _LIST.search(question) is not None


def wants_code(question: str) -> bool:
    """Whether code, a command or a way to do something is asked for."""
    return _CODE.search(question) is not None

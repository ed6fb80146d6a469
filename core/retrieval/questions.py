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
_ABOUT = re.compile(
    r"\W*(?:(?:please |can you |could you )?tell (?:me|us) (?:something |more )?about|"
    r"what can you (?:say|tell me) about|"
    r"what (?:does|do) [\w ]{1,40} (?:say|tell|teach|explain) about|what is said(?: [\w ]{1,20})? about|"
    r"(?:please )?(?:explain|describe|summari[sz]e)(?: to me)?)\s+(\S+(?:\s+\S+){0,5})$",
    re.IGNORECASE,
)
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


def focus(question: str) -> str:
    """The question itself, without the code and the options it comes with; all of it where little is left.

    "Tell me about nodes" becomes "What is nodes?": the reranker knows questions, not requests.
    """
    bare = " ".join(_OPTIONS.sub("", _FENCED.sub(" ", question)).split())
    if about := _ABOUT.match(bare):
        return f"What is {about[1].rstrip('?. ')}?"
    return bare if len(bare.split()) > LEAST_FOCUS_WORDS else question


def wants_list(question: str) -> bool:
    """Whether several things or steps are asked for, so that a whole list is the answer."""
    return _LIST.search(question) is not None


def wants_code(question: str) -> bool:
    """Whether code, a command or a way to do something is asked for."""
    return _CODE.search(question) is not None

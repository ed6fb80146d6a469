"""Text to weighted words: what BM25 is computed from, for chunks and for what we search with."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

import Stemmer

from core.model import Chunk, SparseVector

STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a about am an and any are as at be been being but by can could did do does doing for from had has "
        "have having he her hers him his how i if in into is it its itself just me my of on or our ours she "
        "should so some than that the their theirs them then there these they this those to too us very was "
        "we were what when where which while who whom whose why will with would you your yours",
    )
)
"""Words that say nothing about what a passage is about, and the words questions are made of."""

TOKEN = re.compile(
    r"""\b[a-zA-Z](?:\+\+|\#)(?!\w)  # C++ and C#
    | \bv?\d+(?:[.,]\d+)+            # 3.11, v2.0.1 and 1,000
    | \w+(?:['’\-]\w+)*              # words, identifiers, don't, real-time""",
    re.VERBOSE,
)
INNER_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
"""The words inside an identifier: HTTPServer2 gives HTTP, Server and 2."""
CONTRACTION = re.compile(r"(?:n['’]t|['’](?:s|ll|re|ve|d|m)?)$", re.IGNORECASE)
DOTTED_NUMBER = re.compile(r"v?\d+(?:[.,]\d+)+")
HYPHEN = re.compile(r"['’\-]")
UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
"""Scripts that put no space between words; they are searched by pairs of characters."""
ACCENTS = re.compile(r"[\u0300-\u036f]+")
CACHED_TOKENS = 1 << 16


@dataclass(frozen=True, slots=True)
class WordWeights:
    """The numbers of BM25, in one place for tuning."""

    saturation: float = 1.2
    """BM25's k1: how soon a repeated word stops counting."""
    length_weight: float = 0.75
    """BM25's b: how much a long chunk's words count less."""
    average_length: float = 180.0
    """Words of a typical chunk without stop words. Fixed, so that a chunk's weights do not hang on its book."""
    heading_weight: float = 1.0
    """How often a word of the title or a heading counts, against once in the text."""


class Words:
    """Makes words of text. Not for use by two threads at once: the stemmer keeps state."""

    def __init__(self, weights: WordWeights | None = None) -> None:
        self._weights = weights or WordWeights()
        stem = Stemmer.Stemmer("english").stemWord

        # Not a method: a cache that holds its owner would keep it in memory.
        @lru_cache(maxsize=CACHED_TOKENS)
        def words_of(token: str) -> tuple[str, ...]:
            return tuple(_stemmed(_parts(token), stem))

        self._words_of = words_of

    def of_text(self, text: str) -> list[str]:
        """The stemmed words of a text in order, stop words left out; an identifier gives itself and its parts."""
        words_of = self._words_of
        return [word for token in TOKEN.findall(_folded(text)) for word in words_of(token)]

    def of_chunk(self, chunk: Chunk) -> SparseVector:
        """A chunk's words with BM25's weights, the rarity of each left to the index."""
        return self.of_passage(chunk.text, chunk.heading_text)

    def of_passage(self, text: str, heading: str) -> SparseVector:
        """The same for a chunk-to-be: its text and the headings it will be found by."""
        counts: dict[str, float] = dict(Counter(self.of_text(text)))
        length = sum(counts.values())
        for word in self.of_text(heading):
            counts[word] = counts.get(word, 0.0) + self._weights.heading_weight
        k1, b = self._weights.saturation, self._weights.length_weight
        norm = k1 * (1 - b + b * length / self._weights.average_length)
        return to_sparse((word, count * (k1 + 1) / (count + norm)) for word, count in counts.items())

    def of_query(self, text: str) -> SparseVector:
        """The words we search with, each counting once."""
        return to_sparse((word, 1.0) for word in dict.fromkeys(self.of_text(text)))


def to_sparse(weighted: Iterable[tuple[str, float]]) -> SparseVector:
    """Words by their stable ids, ascending. Two words that share an id (one in four billion) share a weight."""
    by_id = {term_id(word): weight for word, weight in weighted}
    indices = tuple(sorted(by_id))
    return SparseVector(indices, tuple(by_id[index] for index in indices))


@lru_cache(maxsize=CACHED_TOKENS)
def term_id(word: str) -> int:
    """The same unsigned 32-bit number for the same word, on every machine and in every version."""
    return crc32(word.encode("utf-8"))


def _folded(text: str) -> str:
    """Text without accents and compatibility forms, so that "café" and "ﬁle" are found by their plain spelling."""
    if text.isascii():
        return text
    bare = ACCENTS.sub("", unicodedata.normalize("NFKD", text))
    # Hangul must be put together again: decomposed, its syllables are no longer the characters members type.
    return unicodedata.normalize("NFKC", bare)


def _parts(token: str) -> Iterator[str]:
    """A token as it stands and, where it is made of several words, those words."""
    if token.endswith(("++", "#")):
        yield token.lower()
    elif DOTTED_NUMBER.fullmatch(token):
        yield token.lstrip("v").replace(",", "")
    elif UNSPACED.search(token):
        yield from _pairs(token)
    else:
        yield from _words(CONTRACTION.sub("", token))


def _words(token: str) -> Iterator[str]:
    pieces = [bare for piece in HYPHEN.split(token) if (bare := piece.strip("_"))]
    if len(pieces) > 1:
        # "e-mail" is found by "email" and by "mail".
        yield "".join(pieces).casefold()
    for piece in pieces:
        yield piece.casefold()
        inner = INNER_WORD.findall(piece) if piece.isascii() else ()
        if len(inner) > 1:
            yield from (word.lower() for word in inner)


def _pairs(token: str) -> Iterator[str]:
    for run in UNSPACED.findall(token):
        if len(run) == 1:
            yield run
        yield from (run[at : at + 2] for at in range(len(run) - 1))
    yield from (word.casefold() for word in UNSPACED.sub(" ", token).split())


def _stemmed(words: Iterable[str], stem: Callable[[str], str]) -> Iterator[str]:
    for word in words:
        if word not in STOP_WORDS:
            yield stem(word)

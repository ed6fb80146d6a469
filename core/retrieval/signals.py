"""What can be seen, before anyone answers, of whether the books answer a question."""

import math
import re
from collections.abc import Mapping, Sequence, Set

from core.retrieval.candidates import Candidate
from core.retrieval.query import Query
from core.retrieval.reading import RERANK_SCALE, ReadPassage
from core.retrieval.vocabulary import Vocabulary
from core.retrieval.words import Words

_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w'-]+")
_NUMBER = re.compile(r"\b\d[\d,.]*\d\b")
"""A single digit mostly counts items or names a figure; whether a passage has it says nothing."""
_NEGATION = re.compile(r"\b(?:not|never|no|none|without|except|neither|nor|cannot)\b|n['’]t\b", re.IGNORECASE)
MOST_NAMES = 2
USUAL_WORDS = 8
"""Words of a usual question. Of one that brings much more with it, what it brings must be understood as well."""

ALMOST_ALL = 0.95
MOSTLY = 0.6
"""The share of a question, by the weight of its words, from which on it is about something else than the books."""


def signals(
    query: Query,
    candidates: Sequence[Candidate],
    read: Sequence[ReadPassage],
    *,
    vocabulary: Vocabulary,
    words: Words,
) -> dict[str, float]:
    """Every signal by name. *candidates* and *read* are best first and not empty."""
    best = read[0]
    weights = _asked(query, vocabulary, words)
    near = set(words.of_text(f"{best.chunk.heading_text} {best.passage.before} {best.text}"))
    unknown = 1.0 - _share(weights, vocabulary.occurrences.keys()) if vocabulary.is_complete else 0.0
    rerank = best.rerank if best.rerank is not None else 0.0
    return {
        "rerank": rerank,
        "rerank_promise": 1.0 / (1.0 + math.exp(-rerank / RERANK_SCALE)),
        "rerank_doubt": min(rerank, 0.0),
        "cosine": max(each.cosine or 0.0 for each in candidates),
        "best_cosine": best.candidate.cosine or 0.0,
        "covered": _share(weights, near),
        "unknown_share": unknown,
        "is_unknown": float(_is_unknown(query, unknown, vocabulary, words)),
        "missing_word": max((weight for word, weight in weights.items() if word not in near), default=0.0),
        "missing_names": float(min(MOST_NAMES, _missing_names(query.text, near, words))),
        "missing_numbers": float(sum(each not in best.chunk.text for each in set(_NUMBER.findall(query.text)))),
        "is_negated": float(_NEGATION.search(query.text) is not None),
        "length": min(2.0, max(0.0, len(query.weights) / USUAL_WORDS - 1.0)),
    }


def _asked(query: Query, vocabulary: Vocabulary, words: Words) -> dict[str, float]:
    """The words that are asked about with their weights; code and options that come with them ask nothing."""
    asked = set(words.of_text(query.text))
    weights = {word: weight * vocabulary.rarity(word) for word, weight in query.weights.items()}
    return {word: weight for word, weight in weights.items() if word in asked} or weights


def _is_unknown(query: Query, share: float, vocabulary: Vocabulary, words: Words) -> bool:
    """Whether a question is about something the books have no word for: a name, or all there is.

    A verb the books do not use ("communicate" for "talk") says nothing about their subject.
    """
    if share < MOSTLY or query.hints:
        return False
    names = _names(query.text, words)
    return share >= ALMOST_ALL or any(not vocabulary.has(name) for name in names)


def _share(weights: Mapping[str, float], known: Set[str]) -> float:
    """The share of the question's weight that these words cover."""
    total = sum(weights.values())
    return sum(weight for word, weight in weights.items() if word in known) / total if total else 0.0


def _missing_names(question: str, near: Set[str], words: Words) -> int:
    """How many of the question's names do not stand where the best passage does."""
    return len(_names(question, words) - near)


def _names(question: str, words: Words) -> set[str]:
    """What the question calls by a name; a NOT in capitals is none."""
    found = [name for name in _NAME.findall(question) if not _NEGATION.fullmatch(name)]
    return set(words.of_text(" ".join(found)))

"""What we search with: a question's words, each with its weight, and what it means."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.ports import SparseVector
from core.retrieval.words import Words, to_sparse


@dataclass(frozen=True, slots=True)
class Query:
    """A question ready to be searched with."""

    text: str
    """The question made stand-alone, as the reranker reads it."""
    weights: Mapping[str, float]
    """Its stemmed words; those that only come from what was said before count less."""
    meanings: tuple[str, ...]
    """The texts whose vectors, taken together, stand for what it means."""

    @property
    def terms(self) -> SparseVector:
        return to_sparse(self.weights.items())


def plain_query(text: str, words: Words) -> Query:
    """A question that stands alone."""
    return Query(text, dict.fromkeys(words.of_text(text), 1.0), (text,))


def weighted_words(parts: Sequence[tuple[str, float]], words: Words) -> dict[str, float]:
    """The words of several texts, each word with the greatest weight it has in any of them."""
    weights: dict[str, float] = {}
    for text, weight in parts:
        for word in words.of_text(text):
            weights[word] = max(weight, weights.get(word, 0.0))
    return weights

"""What we search with: a question's words, each with its weight, and what it means."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.model import SparseVector
from core.retrieval.acronyms import related
from core.retrieval.focus import focus
from core.retrieval.questions import FILLER
from core.retrieval.spelling import respellings
from core.retrieval.vocabulary import Vocabulary
from core.retrieval.words import Words, to_sparse

FILLER_WEIGHT = 0.3
"""What a word counts that people ask with rather than about: "the main purpose of a node" is about nodes."""
SLIP_WEIGHT, ACRONYM_WEIGHT = 0.6, 0.4
"""What a word counts that was not said: a slip put right, and a word of what an acronym stands for."""


@dataclass(frozen=True, slots=True)
class Query:
    """A question ready to be searched with."""

    text: str
    """The question made stand-alone, as the reranker reads it."""
    weights: Mapping[str, float]
    """Its stemmed words; those that only come from what was said before count less."""
    meanings: tuple[str, ...]
    """The texts whose vectors, taken together, stand for what it means."""

    hints: Mapping[str, float] = field(default_factory=dict)
    """Words that were not said but may be meant: a slip put right, an acronym spelt out."""

    @property
    def terms(self) -> SparseVector:
        return to_sparse({**self.hints, **self.weights}.items())


class Queries:
    """Makes queries of questions."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._filler = frozenset(words.of_text(" ".join(FILLER)))

    def plain(self, text: str) -> Query:
        """A question that stands alone."""
        asked = focus(text)
        return Query(asked, self.weights([(text, 1.0)]), tuple(dict.fromkeys((text, asked))))

    def hinted(self, query: Query, vocabulary: Vocabulary) -> Query:
        """The query with what its words stand for in these books; as it is while they are still being read."""
        if not vocabulary.is_complete:
            return query
        asked = " ".join(query.meanings)
        slips = respellings(asked, vocabulary.spellings)
        meant = related(asked, vocabulary.acronyms)
        parts = [(word, SLIP_WEIGHT) for word in slips] + [(words, ACRONYM_WEIGHT) for words in meant]
        return replace(query, hints=self.weights(parts))

    def weights(self, parts: Sequence[tuple[str, float]]) -> dict[str, float]:
        """The words of several texts, each word with the greatest weight it has in any of them."""
        weights: dict[str, float] = {}
        for text, weight in parts:
            for word in self._words.of_text(text):
                counted = weight * FILLER_WEIGHT if word in self._filler else weight
                weights[word] = max(counted, weights.get(word, 0.0))
        return weights

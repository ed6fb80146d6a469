"""Questions about a text: a passage someone pasted, a classmate's claim, an earlier answer."""

from core.model import Chunk, Question
from core.retrieval.leaning import leans
from core.retrieval.likeness import word_set
from core.retrieval.query import Queries, Query

SAME = 0.8
"""A text whose words are so much those of a chunk was taken from it."""
LITTLE_WEIGHT, MUCH_WEIGHT = 0.4, 0.8
"""What a word of the selected text counts beside a question that stands alone, and beside "is this right?"."""
MOST_CHARS = 400
"""Of a long text the beginning is read with the question; its words all count in the search."""


def about_selection(question: Question, queries: Queries) -> Query:
    """What is asked about the selected text: the question's words, and the text's as far as it needs them."""
    selected = question.selected_text or ""
    is_leaning = leans(question.text)
    weight = MUCH_WEIGHT if is_leaning else LITTLE_WEIGHT
    whole = f"{question.text} {selected[:MOST_CHARS]}"
    return Query(
        text=whole if is_leaning else question.text,
        weights=queries.weights([(question.text, 1.0), (selected, weight)]),
        meanings=(question.text, whole),
    )


def is_taken_from(selected: str, chunk: Chunk) -> bool:
    """Whether a text was copied from this chunk, or most of it."""
    words = word_set(selected)
    return bool(words) and len(words & word_set(chunk.text)) / len(words) >= SAME

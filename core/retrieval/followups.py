"""Questions that lean on what was said before, made stand-alone without a model."""

import re

from core.model import History, Question, Turn
from core.retrieval.query import Queries, Query
from core.retrieval.questions import content_words

LAST_WEIGHT, EARLIER_WEIGHT, ITEM_WEIGHT = 0.5, 0.3, 0.8
"""What a word counts that comes from the last question, from an earlier one, or from the item that is meant."""
EARLIER_TURNS = 6
FEW_WORDS = 3
"""A question with so few words of its own seldom names its subject."""
_LEANING = re.compile(
    r"\b(?:it|its|they|them|their|theirs|this|that|these|those|he|him|his|she|her|hers|one|ones|there|here|such|"
    r"former|latter|same|other|others|another|else|more|also|too|instead|both|above|again|further)\b"
    r"|^\W*(?:and|but|so|or|then|ok|okay|why|how so|what about|how about|really|for example|give|go on|continue|"
    r"elaborate)\b",
    re.IGNORECASE,
)
_ORDINALS = {
    "first": 0,
    "second": 1,
    "third": 2,
    "fourth": 3,
    "fifth": 4,
    "last": -1,
    "1st": 0,
    "2nd": 1,
    "3rd": 2,
}
_ORDINAL = re.compile(rf"\bthe ({'|'.join(_ORDINALS)})\b", re.IGNORECASE)
_ITEM = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+(.+)$", re.MULTILINE)


def to_query(question: Question, history: History, queries: Queries) -> Query:
    """The question as it is meant in its conversation; a question that stands alone stays as it is."""
    if not history.turns or not leans(question.text):
        return queries.plain(question.text)
    last = history.turns[-1]
    item = meant_item(question.text, last)
    parts = [(question.text, 1.0), (last.question, LAST_WEIGHT)]
    parts += [(turn.question, EARLIER_WEIGHT) for turn in history.turns[-EARLIER_TURNS:-1]]
    parts += [(history.topic_summary, EARLIER_WEIGHT)] if history.topic_summary else []
    parts += [(item, ITEM_WEIGHT)] if item else []
    whole = " ".join(part for part in (last.question, item, question.text) if part)
    return Query(whole, queries.weights(parts), (question.text, whole))


def leans(text: str) -> bool:
    """Whether a question needs what was said before: it points back, goes on, or hardly says anything itself."""
    return _LEANING.search(text) is not None or len(content_words(text)) <= FEW_WORDS


def meant_item(text: str, last: Turn) -> str | None:
    """The item of the last answer's list that "the second one" means."""
    ordinal = _ORDINAL.search(text)
    items = _ITEM.findall(last.answer)
    if not ordinal or len(items) < 2:
        return None
    at = _ORDINALS[ordinal[1].lower()]
    return items[at] if at < len(items) else None

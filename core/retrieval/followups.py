"""Questions that lean on what was said before, made stand-alone without a model."""

import re

from core.model import History, Question, Turn
from core.model.answer import REFUSAL
from core.retrieval.leaning import leans
from core.retrieval.query import Queries, Query

LAST_WEIGHT, EARLIER_WEIGHT, ITEM_WEIGHT = 0.5, 0.3, 0.8
"""What a word counts that comes from the last question, from an earlier one, or from the item that is meant."""
EARLIER_TURNS = 6
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
    turns = [turn for turn in history.turns if not is_refusal(turn.answer)]
    if not turns or not leans(question.text):
        return queries.plain(question.text)
    last = turns[-1]
    item = meant_item(question.text, last)
    parts = [(question.text, 1.0), (last.question, LAST_WEIGHT)]
    parts += [(turn.question, EARLIER_WEIGHT) for turn in turns[-EARLIER_TURNS:-1]]
    parts += [(history.topic_summary, EARLIER_WEIGHT)] if history.topic_summary else []
    parts += [(item, ITEM_WEIGHT)] if item else []
    whole = " ".join(part for part in (last.question, item, question.text) if part)
    return Query(whole, queries.weights(parts), (question.text, whole))


def is_refusal(answer: str) -> bool:
    """Whether the books had nothing to say; what was asked then is no topic to carry on."""
    return answer.startswith(REFUSAL)


def meant_item(text: str, last: Turn) -> str | None:
    """The item of the last answer's list that "the second one" means."""
    ordinal = _ORDINAL.search(text)
    items = _ITEM.findall(last.answer)
    if not ordinal or len(items) < 2:
        return None
    at = _ORDINALS[ordinal[1].lower()]
    return items[at] if at < len(items) else None

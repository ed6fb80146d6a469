"""Whether a passage is the right one, and an answer a right one."""

import re
from collections.abc import Sequence
from functools import lru_cache

from core.evaluation.outcome import Outcome, Quoted
from core.evaluation.pack import Gold, PackQuestion
from core.model.limits import DEFAULT_TOP_K

RUN = 4
"""Passages are compared by runs of four words: shorter ones occur everywhere."""
SHORT_ANSWER_WORDS = 8
"""A longer known answer is someone's free wording, which no quote contains."""
_WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


@lru_cache(maxsize=4096)
def runs(text: str) -> frozenset[tuple[str, ...]]:
    """Every run of four neighbouring words; a shorter text is one run."""
    found = words(text)
    return (
        frozenset(tuple(found[at : at + RUN]) for at in range(max(1, len(found) - RUN + 1)))
        if found
        else frozenset()
    )


def overlaps(text: str, quote: str) -> bool:
    """Whether a text holds at least half of a quote, or lies at least half inside it."""
    one, other = runs(text), runs(quote)
    common = len(one & other)
    return common > 0 and 2 * common >= min(len(one), len(other))


def hits(item: Quoted, gold: Sequence[Gold]) -> bool:
    """Whether words come from where the answer stands; the right file is enough where no words are known."""
    return any(item.file == each.file and (each.quote is None or overlaps(item.text, each.quote)) for each in gold)


def contains(answer: str, known: Sequence[str]) -> bool:
    """Whether an answer has one of the known answers in it, word for word."""
    flat = f" {' '.join(words(answer))} "
    return any(f" {' '.join(words(each))} " in flat for each in known if words(each))


def has_short_answer(question: PackQuestion) -> bool:
    return any(0 < len(words(answer)) <= SHORT_ANSWER_WORDS for answer in question.answers)


def is_right(question: PackQuestion, outcome: Outcome) -> bool:
    """Whether an answer, shown or held back, has the known answer or leads to the passage where it stands."""
    if not question.is_answerable:
        return False
    quotes = outcome.citations or outcome.held_back
    said = outcome.answer if outcome.citations else " ".join(quote.text for quote in quotes)
    if has_short_answer(question) and contains(said, question.answers):
        return True
    return any(hits(passage, question.gold) for quote in quotes for passage in _passages(quote, outcome))


def rightness(question: PackQuestion, outcome: Outcome) -> float:
    """1 for a right answer; one half where it is not, but the passages it was made from hold the answer."""
    if is_right(question, outcome):
        return 1.0
    drawn_on = outcome.retrieved[:DEFAULT_TOP_K]
    is_found = question.is_answerable and any(hits(item, question.gold) for item in drawn_on)
    return 0.5 if is_found else 0.0


def _passages(quote: Quoted, outcome: Outcome) -> list[Quoted]:
    """The quote itself and the chunk it was taken from, which is what a footnote leads to."""
    chunks = [item for item in outcome.retrieved if item.file == quote.file and quote.text in item.text]
    return [quote, *chunks[:1]]

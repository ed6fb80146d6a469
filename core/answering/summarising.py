"""What a long conversation has been about, in one line: made without a model, so it costs and invents nothing."""

from core.model import History, Role
from core.model.limits import MAX_SUMMARY_CHARS, SUMMARY_AFTER_TURNS
from core.retrieval.likeness import word_set
from core.retrieval.questions import content_words
from core.text.cleaning import cleaned

WORDS_PER_QUESTION = 5
SEPARATOR = "; "


def topic_summary(history: History, question: str) -> str | None:
    """A line for the session to keep once *question* is answered; None where the one it has still fits.

    The first is made with the fifth turn. Later ones are made when a question brings up something new.
    """
    if history.session.turn_count + 1 < SUMMARY_AFTER_TURNS:
        return None
    known = history.topic_summary
    if known is not None and not _is_new(question, known):
        return None
    asked = [message.content for message in history.messages if message.role is Role.USER]
    return _joined([_topic(text) for text in (*asked, question)]) or None


def _topic(question: str) -> str:
    """The words a question is about, as it spells them."""
    return " ".join(content_words(cleaned(question))[:WORDS_PER_QUESTION])


def _is_new(question: str, summary: str) -> bool:
    words = word_set(_topic(question))
    return bool(words) and len(words & word_set(summary)) * 2 < len(words)


def _joined(topics: list[str]) -> str:
    """As many topics as fit, the newest first to be kept, in the order they came up; each said once."""
    kept: list[str] = []
    length = 0
    for topic in reversed(topics):
        is_known = word_set(topic) <= word_set(" ".join(kept))
        if is_known or length + len(topic) + len(SEPARATOR) > MAX_SUMMARY_CHARS:
            continue
        kept.append(topic)
        length += len(topic) + len(SEPARATOR)
    return SEPARATOR.join(reversed(kept))

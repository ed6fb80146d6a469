"""Questions for an empty channel, taken from the book's own headings."""

import re
from collections.abc import Sequence

from core.store.library import LessonEntry

MAX_STARTERS = 4
_ASKS = re.compile(
    r"^(?:what|why|when|where|how) (?:is|are|was|were|do|does|did|can|should|makes?) \S+ \S+", re.IGNORECASE
)
"""A heading that can be asked as it stands. Shorter ones, and "Which …?" or "Is …?", mostly need their page."""
_WHAT_X_IS = re.compile(r"^what (?P<topic>.+) (?P<verb>is|are|does|do)$", re.IGNORECASE)
_LEANS = re.compile(
    r"\b(?:it|its|this|that|these|those|they|them|one|ones|here|i|we|you|your|pieces?|parts?)\b", re.I
)
"""A heading asks these of what stands around it; alone, nobody knows what is meant."""
_SAYS_NOTHING = re.compile(
    r"^(?:introduction|overview|summary|conclusion|exercises?|further reading|references|next steps?|notes?|"
    r"key (?:points|takeaways|terms)|learning (?:goals|objectives)|objectives|prerequisites|check yourself|"
    r"review questions|resources|contents|preface|index|appendix|what.s next)\b",
    re.IGNORECASE,
)


def starter_questions(outline: Sequence[LessonEntry], *, limit: int = MAX_STARTERS) -> list[str]:
    """Up to *limit* questions from lessons spread over the book; headings that ask already come first."""
    asked = list(dict.fromkeys(question for entry in outline if (question := _asked(entry))))
    if len(asked) >= limit:
        return _spread(asked, limit)
    silent = [entry for entry in outline if not _asked(entry)]
    about = list(dict.fromkeys(question for entry in silent if (question := _about(entry))))
    return [*asked, *_spread(about, limit - len(asked))]


def _spread(questions: Sequence[str], count: int) -> list[str]:
    if len(questions) <= count:
        return list(questions)
    return [questions[int(number * len(questions) / count)] for number in range(count)]


def _asked(entry: LessonEntry) -> str | None:
    """A heading of the lesson that is a question already, or nearly: "What a topic is" asks "What is a topic?"."""
    for heading in _headings(entry):
        words = heading.rstrip("?. ")
        if _LEANS.search(words):
            continue
        if _ASKS.match(words):
            return f"{words}?"
        if turned := _WHAT_X_IS.match(words):
            ending = "" if turned["verb"] in {"is", "are"} else " do"
            return f"What {turned['verb']} {_lowered(turned['topic'])}{ending}?"
    return None


def _about(entry: LessonEntry) -> str | None:
    """A question about what the lesson treats."""
    topics = [each for each in (*_headings(entry), entry.title) if _is_topic(each)]
    # A heading of several words says what it is about; a single one is often only a label.
    topic = next((each for each in topics if " " in each), topics[0] if topics else None)
    return f"What does the book say about {_lowered(topic)}?" if topic else None


def _is_topic(heading: str) -> bool:
    return 3 <= len(heading) <= 60 and not heading.endswith("?") and ":" not in heading


def _headings(entry: LessonEntry) -> list[str]:
    return [each.strip() for each in entry.sections if each.strip() and not _SAYS_NOTHING.match(each.strip())]


def _lowered(topic: str) -> str:
    """A heading inside a sentence; names and abbreviations keep their capitals."""
    topic = re.sub(r"^(?:\d+[.\d]*|(?:chapter|lesson|module|part)\s+\d+)[\s:.—-]*", "", topic, flags=re.IGNORECASE)
    first, _, rest = topic.partition(" ")
    is_name = not first[1:].islower() or rest != rest.lower()
    return topic if is_name else f"{first.lower()} {rest}".strip()

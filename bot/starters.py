"""Questions for an empty channel, taken from the book's own headings."""

import re
from collections.abc import Sequence

from core.store.library import LessonEntry

MAX_STARTERS = 4
_ASKS = re.compile(
    r"^(?:(?:what|why|when|where|how) (?:is|are|was|were|do|does|did|can|should|makes?)|who|which)\b",
    re.IGNORECASE,
)
_WHAT_X_IS = re.compile(r"^what (?P<topic>.+) (?P<verb>is|are|does|do)$", re.IGNORECASE)
_SAYS_NOTHING = re.compile(
    r"^(?:introduction|overview|summary|conclusion|exercises?|further reading|references|next steps?|notes?|"
    r"key (?:points|takeaways|terms)|learning (?:goals|objectives)|objectives|prerequisites|check yourself|"
    r"review questions|resources|contents|preface|index|appendix|what.s next)\b",
    re.IGNORECASE,
)


def starter_questions(outline: Sequence[LessonEntry], *, limit: int = MAX_STARTERS) -> list[str]:
    """Up to *limit* questions from lessons spread over the book; headings that ask already come as they are."""
    told = [question for entry in outline if (question := _question(entry))]
    unique = list(dict.fromkeys(told))
    if len(unique) <= limit:
        return unique
    step = len(unique) / limit
    return [unique[int(number * step)] for number in range(limit)]


def _question(entry: LessonEntry) -> str | None:
    headings = [each.strip() for each in entry.sections if not _SAYS_NOTHING.match(each.strip())]
    for heading in headings:
        if (asked := _as_asked(heading)) is not None:
            return asked
    topics = [each for each in (*headings, entry.title) if _is_topic(each)]
    # A heading of several words says what it is about; a single one is often only a label.
    topic = next((each for each in topics if " " in each), topics[0] if topics else None)
    return f"What does the book say about {_lowered(topic)}?" if topic else None


def _as_asked(heading: str) -> str | None:
    """A heading that is a question already, or nearly: "What a topic is" becomes "What is a topic?"."""
    words = heading.rstrip("?. ")
    if heading.endswith("?") or (_ASKS.match(words) and len(words.split()) > 2):
        return f"{words}?"
    turned = _WHAT_X_IS.match(words)
    if turned is None:
        return None
    ending = "" if turned["verb"] in {"is", "are"} else " do"
    return f"What {turned['verb']} {_lowered(turned['topic'])}{ending}?"


def _is_topic(heading: str) -> bool:
    return 3 <= len(heading) <= 60 and not _SAYS_NOTHING.match(heading)


def _lowered(topic: str) -> str:
    """A heading inside a sentence; names and abbreviations keep their capitals."""
    topic = re.sub(r"^(?:\d+[.\d]*|(?:chapter|lesson|module|part)\s+\d+)[\s:.—-]*", "", topic, flags=re.IGNORECASE)
    first, _, rest = topic.partition(" ")
    is_plain_word = first[1:].islower() and first[:1].isupper()
    return f"{first.lower() if is_plain_word else first} {rest}".strip()

"""The words of a refusal, and where in the book to look instead."""

from core.model import Draft, FoundChunk, NearSection, Task
from core.model.answer import REFUSAL
from core.retrieval.likeness import word_set
from core.retrieval.questions import content_words

NEAR_RELEVANCE = 0.2
"""Below this a section is not worth pointing at: it shares a word with the question, not its subject.

Of the questions that were refused though the book answers them five of six have such a section, of those off topic
one of nine.
"""
MOST_SECTIONS = 3
MOST_WORDS = 3


def refusal_text(draft: Draft, task: Task) -> str:
    """Why there is no answer; for a near miss also what the book does discuss, and what it does not say."""
    near = _near(draft)
    if not near:
        return f"{REFUSAL}."
    best = near[0].chunk
    missing = _missing(task.question.text, near)
    unsaid = f"does not mention {missing}" if missing else "does not say what you ask"
    return f"{REFUSAL}. The book comes closest in {_named(best.breadcrumb, best.section_title)}, but {unsaid}."


def nearest_sections(draft: Draft) -> tuple[NearSection, ...]:
    """The different sections that come closest, best first."""
    sections: dict[tuple[str, str | None], NearSection] = {}
    for found in _near(draft):
        section = NearSection.of(found.chunk)
        sections.setdefault((section.breadcrumb, section.section), section)
    return tuple(sections.values())[:MOST_SECTIONS]


def _near(draft: Draft) -> list[FoundChunk]:
    return [found for found in draft.chunks if found.score >= NEAR_RELEVANCE]


def _missing(question: str, near: list[FoundChunk]) -> str:
    """The question's own words that none of the nearest passages contains, as a reader would name them."""
    said = frozenset[str]().union(
        *(word_set(f"{found.chunk.heading_text} {found.chunk.text}") for found in near[:MOST_SECTIONS])
    )
    unsaid = [word for word in content_words(question) if not word_set(word) & said]
    return " or ".join(f"“{word}”" for word in unsaid[:MOST_WORDS])


def _named(breadcrumb: str, section: str | None) -> str:
    parts = [part.strip() for part in breadcrumb.split("›") if part.strip()]
    name = section or (parts[-1] if parts else "the book")
    place = " › ".join(part for part in parts if part != name)
    return f"“{name}” ({place})" if place else f"“{name}”"

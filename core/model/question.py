"""What a member asked, and where in the books to look."""

from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

from core.errors import QuestionError
from core.model.book import Layer, Level
from core.model.limits import (
    DEFAULT_TOP_K,
    MAX_QUESTION_CHARS,
    MAX_SELECTED_CHARS,
    MAX_TIER,
    MAX_TOP_K,
    MIN_TIER,
    MIN_TOP_K,
    check_length,
    check_range,
    sound,
)
from core.model.session import SessionKey


@dataclass(frozen=True, slots=True)
class Filters:
    """Where to look. All given filters must hold; within *levels* any one does."""

    books: tuple[str, ...] = ()
    module: str | None = None
    chapter_min: int | None = None
    chapter_max: int | None = None
    lesson: int | None = None
    tier: int | None = None
    """Passages for this hardware tier or a lower one."""
    levels: tuple[Level, ...] = ()
    layer: Layer | None = None
    parent_id: str | None = None
    """Only the chunks of this one lesson."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "books", tuple(map(sound, self.books)))
        object.__setattr__(self, "module", sound(self.module) if self.module is not None else None)
        if self.tier is not None:
            check_range("tier", self.tier, least=MIN_TIER, most=MAX_TIER)
        low, high = self.chapter_min, self.chapter_max
        if low is not None and high is not None and low > high:
            raise QuestionError(
                f"The first chapter ({low}) comes after the last one ({high}).",
                details={"field": "chapter_min", "chapter_min": low, "chapter_max": high},
            )

    def to_dict(self) -> dict[str, object]:
        """Only what was asked for, ready for JSON."""
        given = {
            "books": list(self.books),
            "module": self.module,
            "chapter_min": self.chapter_min,
            "chapter_max": self.chapter_max,
            "lesson": self.lesson,
            "tier": self.tier,
            "levels": [str(level) for level in self.levels],
            "layer": str(self.layer) if self.layer else None,
            "parent_doc_id": self.parent_id,
        }
        return {name: value for name, value in given.items() if value not in (None, [])}


class Selection(StrEnum):
    """Where a selected text comes from, as far as the adapter knows."""

    MESSAGE = "message"
    OWN_ANSWER = "own_answer"
    BOOK = "book"


@dataclass(frozen=True, slots=True)
class Question:
    """What a member asked, platform markup removed.

    Raises:
        QuestionError: a limit was broken; the message names the limit and what was found.
    """

    text: str
    selected_text: str | None = None
    selection: Selection = Selection.MESSAGE
    top_k: int = DEFAULT_TOP_K
    similarity_threshold: float = 0.0
    filters: Filters = field(default_factory=Filters)
    session_id: str | None = None
    """The session to go on with; it must belong to the key's group."""
    key: SessionKey = field(default_factory=SessionKey.private)
    """Where it was asked; a question from nowhere in particular gets a session of its own."""
    may_use_model: bool = True
    """False once the day's budget is spent: the book is quoted instead of asking the model."""
    event_id: str | None = None
    """The event it came with. Asked again under the same one, as after a crash, it is remembered once."""

    def __post_init__(self) -> None:
        text = sound(self.text).strip()
        if not text:
            raise QuestionError(
                "The question is empty. Write what you would like to know.",
                details={"field": "question", "min": 1, "found": 0},
            )
        check_length("question", text, least=1, most=MAX_QUESTION_CHARS)
        object.__setattr__(self, "text", text)
        selected = sound(self.selected_text or "").strip() or None
        if selected is not None:
            check_length("selected_text", selected, most=MAX_SELECTED_CHARS)
        object.__setattr__(self, "selected_text", selected)
        check_range("top_k", self.top_k, least=MIN_TOP_K, most=MAX_TOP_K)
        check_range("similarity_threshold", self.similarity_threshold, least=0.0, most=1.0)
        if self.session_id is not None:
            check_uuid4(self.session_id)


def check_uuid4(text: str) -> None:
    """Refuse a session id that is not a UUID of version 4."""
    try:
        is_version_4 = UUID(text).version == 4
    except ValueError:
        is_version_4 = False
    if not is_version_4:
        raise QuestionError(
            "session_id must be a UUID of version 4.", details={"field": "session_id", "found": text[:64]}
        )

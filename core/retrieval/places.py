"""Questions that name a place in the book: "in chapter 3", "lesson 2.1", "the Gazebo module"."""

import re
from dataclasses import dataclass, replace

from core.model import Filters
from core.store.library import Library
from core.store.library.outline import SuggestKind

_TO = r"\s*(?:-|–|to|through|and)\s*"
_IN = r"\b(?:in|from|of|by|within|inside|under|according\s+to)\s+(?:the\s+)?"
_CHAPTERS = re.compile(rf"{_IN}ch(?:apters?|\.)\s*(\d{{1,4}})(?:{_TO}(\d{{1,4}}))?\b(?!\.\d)", re.IGNORECASE)
_LESSON = re.compile(rf"{_IN}lesson\s+(?:(\d{{1,4}})\.)?(\d{{1,4}})\b", re.IGNORECASE)
_MODULE_NUMBER = re.compile(rf"{_IN}module\s+(\d{{1,3}})\b", re.IGNORECASE)
_MODULE_NAME = re.compile(rf"{_IN}(?:module\s+([A-Za-z][\w-]*)|([A-Za-z][\w-]*)\s+module)\b", re.IGNORECASE)
_SUBJECT = re.compile(
    r"^\W*what (?:does|do|did)\s+(?:the\s+)?"
    r"(?P<place>ch(?:apters?|\.)\s*\d{1,4}|lesson\s+[\d.]+|module\s+\w+|[\w-]+\s+module)\s+(?:say|tell|teach|explain)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """What a question says about where to look, and the question without it."""

    question: str
    chapter_min: int | None = None
    chapter_max: int | None = None
    lesson: int | None = None
    module_number: int | None = None
    module_name: str | None = None


def named_place(question: str) -> NamedPlace | None:
    """The place a question names, or None. "Chapter 11 bankruptcy" names none: nothing leads to it."""
    text = _SUBJECT.sub(lambda found: f"what is said in {found['place']}", question)
    place = NamedPlace(text)
    if found := _CHAPTERS.search(text):
        low, high = int(found[1]), int(found[2] or found[1])
        place = replace(place, chapter_min=min(low, high), chapter_max=max(low, high))
    if found := _LESSON.search(text):
        place = replace(place, lesson=int(found[2]))
        if found[1]:
            place = replace(place, chapter_min=int(found[1]), chapter_max=int(found[1]))
    if found := _MODULE_NUMBER.search(text):
        place = replace(place, module_number=int(found[1]))
    elif found := _MODULE_NAME.search(text):
        place = replace(place, module_name=(found[1] or found[2]).lower())
    if place == NamedPlace(text):
        return None
    for pattern in (_CHAPTERS, _LESSON, _MODULE_NUMBER, _MODULE_NAME):
        text = pattern.sub(" ", text)
    return replace(place, question=" ".join(text.split()))


async def narrowed(scope: Filters, place: NamedPlace, library: Library) -> Filters | None:
    """The scope narrowed to a named place; None where the books have no such module."""
    module = scope.module
    if place.module_number is not None or place.module_name is not None:
        modules = await library.suggest(place.module_name or "", books=scope.books, kind=SuggestKind.MODULE)
        at = (place.module_number or 1) - 1
        if not 0 <= at < len(modules):
            return None
        module = modules[at].value
    return replace(
        scope,
        module=module,
        chapter_min=place.chapter_min if place.chapter_min is not None else scope.chapter_min,
        chapter_max=place.chapter_max if place.chapter_max is not None else scope.chapter_max,
        lesson=place.lesson if place.lesson is not None else scope.lesson,
    )

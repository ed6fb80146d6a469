"""One line of search words with filters among them → what to search for (pure)."""

import re
from collections.abc import Mapping
from typing import TypeVar

from core.errors import QuestionError
from core.model import Filters, Layer, Level, SearchQuery
from core.model.limits import DEFAULT_TOP_K

Kind = TypeVar("Kind", Level, Layer)

_FILTER = re.compile(r"(?<!\S)(book|module|chapter|lesson|level|tier|layer|limit):(\"[^\"]+\"|\S+)", re.IGNORECASE)


def to_search(line: str) -> SearchQuery:
    """*line* such as "ownership chapter:4-6 level:A2,B1 limit:3".

    Raises:
        QuestionError: a filter cannot be understood, or too few words are left.
    """
    given = {found[1].lower(): found[2].strip('"') for found in _FILTER.finditer(line)}
    words = " ".join(_FILTER.sub(" ", line).split())
    return from_fields(words, given)


def from_fields(words: str, given: Mapping[str, str]) -> SearchQuery:
    """The same from a form's fields; an empty field is no filter.

    Raises:
        QuestionError: a filter cannot be understood, or too few words are left.
    """
    fields = {name: value.strip() for name, value in given.items() if value.strip()}
    first, last = _range(fields.get("chapter"))
    filters = Filters(
        books=(fields["book"],) if "book" in fields else (),
        module=fields.get("module"),
        chapter_min=first,
        chapter_max=last,
        lesson=_number("lesson", fields.get("lesson")),
        tier=_number("tier", fields.get("tier")),
        levels=tuple(
            _one_of(Level, "level", each) for each in re.split(r"[,\s]+", fields.get("level", "")) if each
        ),
        layer=_one_of(Layer, "layer", fields["layer"]) if "layer" in fields else None,
    )
    return SearchQuery(words, filters, _number("limit", fields.get("limit")) or DEFAULT_TOP_K)


def _range(value: str | None) -> tuple[int | None, int | None]:
    if value is None:
        return None, None
    ends = re.fullmatch(r"([0-9]{0,9})\s*[-–]\s*([0-9]{0,9})", value)
    if ends is None:
        only = _number("chapter", value)
        return only, only
    first, last = (int(end) if end else None for end in ends.groups())
    return first, last


def _number(field: str, value: str | None) -> int | None:
    if value is None:
        return None
    # isdigit() alone would take "²", and no place in a book has a number of ten digits.
    if not re.fullmatch(r"[0-9]{1,9}", value):
        raise QuestionError(f"{field} must be a number; this one is “{value[:40]}”.", details={"field": field})
    return int(value)


def _one_of(kind: type[Kind], field: str, value: str) -> Kind:
    try:
        return kind(value.upper())
    except ValueError:
        known = ", ".join(kind)
        message = f"{field} must be one of {known}; this one is “{value[:40]}”."
        raise QuestionError(message, details={"field": field}) from None

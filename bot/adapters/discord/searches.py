"""Searches whose pages are still being turned, and how a button says what was searched for."""

import json
import secrets
from collections import OrderedDict
from typing import Final

from core.model import Filters, Layer, Level, SearchQuery, SearchResults

KEPT = 500
"""Pages of older searches are searched for again."""
MAX_HANDLE: Final = 89
"""What is left of a button's 100 characters beside its verb and a page's number."""
OPTIONS: Final = ("book", "module", "first", "last", "lesson", "tier", "level", "layer", "section")
"""The options of `/search` in the order in which a handle holds them."""


class Searches:
    """The latest results, each by a handle that fits in a button and outlives the process."""

    def __init__(self) -> None:
        self._results: OrderedDict[str, SearchResults] = OrderedDict()

    def keep(self, query: SearchQuery, results: SearchResults) -> str:
        """Keep what was found for *query*; its handle."""
        handle = to_handle(query)
        self.keep_as(handle, results)
        return handle

    def keep_as(self, handle: str, results: SearchResults) -> None:
        self._results[handle] = results
        while len(self._results) > KEPT:
            self._results.popitem(last=False)

    def get(self, handle: str) -> SearchResults | None:
        return self._results.get(handle)


def to_handle(query: SearchQuery) -> str:
    """Something of its own, and the words and filters themselves, unless they are too long for a button."""
    filters = query.filters
    book, level = (each[0] if each else None for each in (filters.books, filters.levels))
    chapters = (filters.chapter_min, filters.chapter_max)
    given: list[str | int | None] = [query.limit, query.text, book, filters.module, *chapters]
    given += [filters.lesson, filters.tier, level, filters.layer, filters.parent_id]
    while given[-1] is None:
        given.pop()
    own = secrets.token_hex(4)
    handle = f"{own}:{json.dumps(given, ensure_ascii=False, separators=(',', ':'))}"
    return handle if len(handle) <= MAX_HANDLE else own


def from_handle(handle: str) -> SearchQuery | None:
    """What was searched for; None if it was too long for a button."""
    _, _, packed = handle.partition(":")
    if not packed:
        return None
    limit, text, *options = json.loads(packed)
    options += [None] * (len(OPTIONS) - len(options))
    filters = to_filters(**dict(zip(OPTIONS, options, strict=True)))
    return SearchQuery(text, filters, limit)


def to_filters(
    *,
    book: str | None,
    module: str | None,
    first: int | None,
    last: int | None,
    lesson: int | None,
    tier: int | None,
    level: str | None,
    layer: str | None,
    section: str | None,
) -> Filters:
    """The options of `/search` as filters."""
    return Filters(
        books=(book,) if book else (),
        module=module,
        chapter_min=first,
        chapter_max=last,
        lesson=lesson,
        tier=tier,
        levels=(Level(level),) if level else (),
        layer=Layer(layer) if layer else None,
        parent_id=section,
    )

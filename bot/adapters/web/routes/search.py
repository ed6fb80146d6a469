"""Looking for passages."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from bot.adapters.web.members import known_member
from bot.adapters.web.parts import PartsOf
from bot.adapters.web.problems import DOOR, NOT_FOUND, PROBLEMS
from bot.adapters.web.schemas.chat import MAX_PLACE
from bot.adapters.web.schemas.library import SuggestionForm
from bot.adapters.web.schemas.search import SearchForm
from core.model import LOCAL_GROUP, Filters, Layer, Level, SearchQuery
from core.model.limits import (
    DEFAULT_TOP_K,
    MAX_QUESTION_CHARS,
    MAX_TIER,
    MAX_TOP_K,
    MIN_SEARCH_CHARS,
    MIN_TIER,
    MIN_TOP_K,
)
from core.store.library import SuggestKind

router = APIRouter(tags=["search"], responses={**DOOR, **NOT_FOUND, **PROBLEMS})

SearchText = Annotated[
    str,
    Query(
        description="What to look for.",
        json_schema_extra={
            "minLength": MIN_SEARCH_CHARS,
            "maxLength": MAX_QUESTION_CHARS,
            "pattern": r"\S.*\S.*\S",
        },
    ),
]

PlaceNumber = Annotated[int, Query(ge=0, le=MAX_PLACE)]
Tier = Annotated[int, Query(json_schema_extra={"minimum": MIN_TIER, "maximum": MAX_TIER})]
Limit = Annotated[int, Query(json_schema_extra={"minimum": MIN_TOP_K, "maximum": MAX_TOP_K})]


@router.get("/api/search")
async def search(
    *,
    q: SearchText,
    request: Request,
    parts: PartsOf,
    book: Annotated[list[str], Query(max_length=50)] = [],  # noqa: B006 - read, never changed
    module: str | None = None,
    chapter_min: PlaceNumber | None = None,
    chapter_max: PlaceNumber | None = None,
    lesson: PlaceNumber | None = None,
    tier: Tier | None = None,
    level: Annotated[list[Level], Query(max_length=len(Level))] = [],  # noqa: B006 - read, never changed
    layer: Layer | None = None,
    parent_doc_id: str | None = None,
    limit: Limit = DEFAULT_TOP_K,
) -> SearchForm:
    """The passages that fit best, with their place in the book. All filters given must hold."""
    filters = Filters(
        books=tuple(book),
        module=module,
        chapter_min=chapter_min,
        chapter_max=chapter_max,
        lesson=lesson,
        tier=tier,
        levels=tuple(level),
        layer=layer,
        parent_id=parent_doc_id,
    )
    query = SearchQuery(q, filters=filters, limit=limit)
    return SearchForm.of(await parts.desk.search(known_member(request), query))


@router.get("/api/suggest")
async def suggest(
    kind: SuggestKind,
    parts: PartsOf,
    prefix: Annotated[str, Query(max_length=100)] = "",
    book: Annotated[list[str], Query(max_length=50)] = [],  # noqa: B006 - read, never changed
) -> list[SuggestionForm]:
    """What may be meant by what is typed so far."""
    readable = [each.id for each in await parts.library.books(group=LOCAL_GROUP)]
    wanted = [each for each in readable if not book or each in book]
    found = await parts.library.suggest(prefix, books=wanted, kind=kind)
    return [SuggestionForm(value=each.value, label=each.label) for each in found]

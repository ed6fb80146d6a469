"""The one tool the model has: a read-only search, its arguments checked, its results as JSON."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from openai.types.chat import ChatCompletionToolParam

from core.answering.model.shelf import Shelf
from core.errors import QuestionError
from core.model import Filters, Findings, Layer, Level, Question
from core.model.limits import DEFAULT_TOP_K, MAX_TIER, MAX_TOP_K, MIN_TIER, MIN_TOP_K
from core.text.cleaning import cleaned

TOOL_NAME = "retrieve_documentation"
MAX_QUERY_CHARS = 500
LEAST_TOP_K = 2
"""What the lowest level of confidence needs."""

_PROPERTIES: dict[str, object] = {
    "query": {"type": "string", "description": "The question or topic to look up, complete in itself"},
    "top_k": {
        "type": "integer",
        "minimum": MIN_TOP_K,
        "maximum": MAX_TOP_K,
        "default": DEFAULT_TOP_K,
        "description": "How many passages to retrieve",
    },
    "similarity_threshold": {
        "type": "number",
        "minimum": 0.0,
        "maximum": 1.0,
        "default": 0.0,
        "description": "Leave out passages that are less similar than this",
    },
    "module": {"type": "string", "description": "Only this module of the book"},
    "chapter_min": {"type": "integer", "description": "Only from this chapter on"},
    "chapter_max": {"type": "integer", "description": "Only up to this chapter"},
    "lesson": {"type": "integer", "description": "Only this lesson of the chapter"},
    "hardware_tier": {"type": "integer", "minimum": MIN_TIER, "maximum": MAX_TIER},
    "proficiency_level": {"type": "string", "enum": [str(level) for level in Level]},
    "layer": {"type": "string", "enum": [str(layer) for layer in Layer]},
}
TOOL: ChatCompletionToolParam = {
    "type": "function",
    "function": {
        "name": TOOL_NAME,
        "description": "Search the book for passages about a question or topic; gives them with their places.",
        "parameters": {
            "type": "object",
            "properties": _PROPERTIES,
            "required": ["query"],
            "additionalProperties": False,
        },
    },
}


class ToolMistake(Exception):
    """The model called the tool wrongly; the message tells it how to do better."""


@dataclass(frozen=True, slots=True)
class Search:
    """What the model wants to look up."""

    query: str
    top_k: int
    similarity_threshold: float
    scope: Filters


def to_search(name: str, arguments: str, *, question: Question, scope: Filters) -> Search:
    """What a tool call asks for, never wider than *scope* and never less similar than the question allows.

    Raises:
        ToolMistake: there is no such tool, or the arguments do not fit.
    """
    if name != TOOL_NAME:
        raise ToolMistake(f"There is no tool {name[:60]!r}. The only tool is {TOOL_NAME}.")
    given = _to_object(arguments)
    if unknown := sorted(set(given) - set(_PROPERTIES)):
        raise ToolMistake(f"Unknown arguments: {', '.join(unknown)[:200]}. Known: {', '.join(_PROPERTIES)}.")
    query = given.get("query")
    if not isinstance(query, str) or not query.strip():
        raise ToolMistake("query must be a text that is not empty.")
    return Search(
        query=cleaned(query.strip())[:MAX_QUERY_CHARS],
        top_k=_top_k(given, question),
        similarity_threshold=max(_share(given), question.similarity_threshold),
        scope=_narrowed(scope, given),
    )


def to_results(findings: Findings, shelf: Shelf) -> str:
    """What a search found, as the model reads it; *rank* is the number to cite a passage by."""
    results = [
        {
            "chunk_text": cleaned(found.chunk.text),
            "page_title": found.chunk.page_title,
            "section_heading": found.chunk.section_title,
            "source_url": found.chunk.url,
            "similarity_score": round(found.score, 3),
            "rank": shelf.number_of(found),
        }
        for found in findings.chunks
    ]
    return json.dumps(
        {"results": results, "total_results": len(results), "query": findings.query}, ensure_ascii=False
    )


def to_error(message: str, query: str = "") -> str:
    """What the model is told when a call could not be carried out."""
    return json.dumps({"error": message, "query": query}, ensure_ascii=False)


def _to_object(arguments: str) -> Mapping[str, Any]:
    try:
        given = json.loads(arguments or "{}")
    except (ValueError, RecursionError) as error:
        raise ToolMistake("The arguments are not valid JSON.") from error
    if not isinstance(given, dict):
        raise ToolMistake("The arguments must be a JSON object.")
    # Some models fill in every property they are shown.
    return {name: value for name, value in given.items() if value not in (None, "")}


def _whole(given: Mapping[str, Any], name: str, *, least: int, most: int) -> int | None:
    value = given.get(name)
    if value is None:
        return None
    # Python reads 1e999 as infinity, which int() does not take.
    is_broken = isinstance(value, float) and not value.is_integer()
    if isinstance(value, bool) or not isinstance(value, int | float) or is_broken:
        raise ToolMistake(f"{name} must be a whole number.")
    if not least <= value <= most:
        raise ToolMistake(f"{name} must be from {least} to {most}; found {value}.")
    return int(value)


def _top_k(given: Mapping[str, Any], question: Question) -> int:
    """As many as the model wants, but not a single one where more may be had: an answer rests on two at least."""
    wanted = _whole(given, "top_k", least=MIN_TOP_K, most=MAX_TOP_K)
    return max(wanted, min(LEAST_TOP_K, question.top_k)) if wanted is not None else question.top_k


def _text(given: Mapping[str, Any], name: str) -> str | None:
    value = given.get(name)
    if value is not None and not isinstance(value, str):
        raise ToolMistake(f"{name} must be a text.")
    return value


def _share(given: Mapping[str, Any]) -> float:
    value = given.get("similarity_threshold", 0.0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ToolMistake("similarity_threshold must be a number from 0 to 1.")
    return float(value)


def _narrowed(scope: Filters, given: Mapping[str, Any]) -> Filters:
    """The member's scope with the model's filters added; what the member asked for stays."""
    most = 10_000
    chapter_min = _whole(given, "chapter_min", least=0, most=most)
    chapter_max = _whole(given, "chapter_max", least=0, most=most)
    module, level, layer = (_text(given, name) for name in ("module", "proficiency_level", "layer"))
    try:
        return replace(
            scope,
            module=scope.module or module,
            chapter_min=_later(scope.chapter_min, chapter_min),
            chapter_max=_earlier(scope.chapter_max, chapter_max),
            lesson=scope.lesson if scope.lesson is not None else _whole(given, "lesson", least=0, most=most),
            tier=scope.tier or _whole(given, "hardware_tier", least=MIN_TIER, most=MAX_TIER),
            levels=scope.levels or ((Level(level),) if level else ()),
            layer=scope.layer or (Layer(layer) if layer else None),
        )
    except (ValueError, QuestionError) as error:
        raise ToolMistake(str(error)) from error


def _later(one: int | None, other: int | None) -> int | None:
    given = [value for value in (one, other) if value is not None]
    return max(given, default=None)


def _earlier(one: int | None, other: int | None) -> int | None:
    given = [value for value in (one, other) if value is not None]
    return min(given, default=None)

"""Which arguments each method takes: what the SDK writes down of Slack's documentation, and nothing else."""

import inspect
from functools import cache

from slack_sdk.web.async_client import AsyncWebClient

from tests.fakes.slack.world import Json

TASK_STATES = {"pending", "in_progress", "complete", "error"}
CHUNKS = {
    "markdown_text": {"text"},
    "task_update": {"id", "title", "status", "details", "output", "sources"},
    "plan_update": {"title"},
    "blocks": {"blocks"},
}
"""The kinds of pieces that a stream takes, with their fields."""


@cache
def taken_by(method: str) -> frozenset[str]:
    """The arguments that *method* is documented to take."""
    call = getattr(AsyncWebClient, method.replace(".", "_"))
    named = inspect.signature(call).parameters.values()
    return frozenset(each.name for each in named if each.kind is each.KEYWORD_ONLY) | {"token"}


def unknown_arguments(method: str, given: Json) -> list[str]:
    """What was given to *method* that it does not take."""
    known = taken_by(method) | ({"user"} if method == "users.info" else set())
    return sorted(set(given) - known)


def is_valid_chunk(chunk: Json) -> bool:
    """Whether a stream takes this piece."""
    fields = CHUNKS.get(str(chunk.get("type")))
    if fields is None or set(chunk) - fields - {"type"}:
        return False
    if chunk["type"] != "task_update":
        return True
    is_short = all(len(chunk.get(name) or "") <= 256 for name in ("title", "details", "output"))
    return bool(chunk.get("id") and chunk.get("title")) and chunk.get("status") in TASK_STATES and is_short

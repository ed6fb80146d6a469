"""Slack's limits on messages and views with their errors, and what it accepts but people would regret."""

import json
import re
from collections.abc import Callable
from typing import Any

from tests.fakes.slack.world import Json

MAX_TEXT = 40_000
MAX_UPDATE_TEXT = 4_000
MAX_MARKDOWN = 12_000
MAX_BLOCKS = 50
MAX_VIEW_BLOCKS = 100
MESSAGE_BLOCKS = {
    "section",
    "header",
    "context",
    "actions",
    "context_actions",
    "divider",
    "markdown",
    "rich_text",
    "task_card",
}
VIEW_BLOCKS = MESSAGE_BLOCKS | {"input"}


def check_blocks(blocks: Any, *, most: int = MAX_BLOCKS, kinds: set[str] = MESSAGE_BLOCKS) -> str | None:
    """The error Slack answers with, or None."""
    if blocks is None:
        return None
    if not isinstance(blocks, list) or len(blocks) > most:
        return "invalid_blocks"
    ids = [block["block_id"] for block in blocks if "block_id" in block]
    if len(ids) != len(set(ids)) or any(len(each) > 255 for each in ids):
        return "invalid_blocks"
    if any(not _is_valid_block(block, kinds) for block in blocks):
        return "invalid_blocks"
    markdown = sum(len(block["text"]) for block in blocks if block["type"] == "markdown")
    if markdown > MAX_MARKDOWN or len(json.dumps(blocks, ensure_ascii=False)) > 4 * MAX_MARKDOWN:
        return "msg_blocks_too_long"
    return None


def _is_valid_block(block: Json, kinds: set[str]) -> bool:
    if block.get("type") not in kinds:
        return False
    checks: dict[str, Callable[[Json], bool]] = {
        "section": _is_valid_section,
        "header": lambda each: _is_text(each.get("text"), 150, {"plain_text"}),
        "context": lambda each: 1 <= len(each["elements"]) <= 10 and all(map(_is_context, each["elements"])),
        "actions": lambda each: 1 <= len(each["elements"]) <= 25 and all(map(_is_element, each["elements"])),
        "context_actions": lambda each: (
            1 <= len(each["elements"]) <= 5 and all(map(_is_element, each["elements"]))
        ),
        "markdown": lambda each: isinstance(each.get("text"), str) and bool(each["text"].strip()),
        "input": lambda each: _is_text(each.get("label"), 2000, {"plain_text"}) and _is_element(each["element"]),
    }
    check = checks.get(block["type"])
    return check is None or bool(check(block))


def _is_valid_section(block: Json) -> bool:
    has_text = _is_text(block.get("text"), 3000) if "text" in block else "fields" in block
    fields = block.get("fields", [])
    is_accessory_valid = "accessory" not in block or _is_element(block["accessory"])
    return has_text and len(fields) <= 10 and all(_is_text(each, 2000) for each in fields) and is_accessory_valid


def _is_context(element: Json) -> bool:
    return element.get("type") == "image" or _is_text(element, 3000)


def _is_text(text: Any, most: int, kinds: set[str] | None = None) -> bool:
    if not isinstance(text, dict) or text.get("type") not in (kinds or {"plain_text", "mrkdwn"}):
        return False
    return 1 <= len(text.get("text", "")) <= most


def _is_element(element: Json) -> bool:
    if not 1 <= len(element.get("action_id", "")) <= 255:
        return False
    kind = element["type"]
    if kind == "button":
        return _is_text(element["text"], 75, {"plain_text"}) and len(element.get("value", "")) <= 2000
    if kind == "feedback_buttons":
        both = (element["positive_button"], element["negative_button"])
        return all(_is_text(each["text"], 75, {"plain_text"}) and len(each["value"]) <= 2000 for each in both)
    if "options" in element:
        return 1 <= len(element["options"]) <= 100 and all(_is_option(each) for each in element["options"])
    return kind in {"plain_text_input", "number_input", "file_input"} and int(element.get("max_length", 1)) <= 3000


def _is_option(option: Json) -> bool:
    return _is_text(option["text"], 75) and 1 <= len(option["value"]) <= 150


def check_view(view: Json) -> str | None:
    """The error Slack answers a modal or a home with, or None."""
    if view["type"] == "modal":
        if not _is_text(view.get("title"), 24, {"plain_text"}):
            return "invalid_arguments"
        labels = [view[each] for each in ("submit", "close") if each in view]
        if not all(_is_text(each, 24, {"plain_text"}) for each in labels):
            return "invalid_arguments"
    if len(view.get("private_metadata", "")) > 3000 or len(view.get("callback_id", "")) > 255:
        return "invalid_arguments"
    has_input = any(block.get("type") == "input" for block in view["blocks"])
    if has_input and "submit" not in view:
        return "invalid_arguments"
    if not view["blocks"] or check_blocks(view["blocks"], most=MAX_VIEW_BLOCKS, kinds=VIEW_BLOCKS):
        return "invalid_arguments"
    return None


_LINK = re.compile(r"<https?://[^<>|\s]+(?:\|[^<>]*)?>")
_PING = re.compile(r"<(?:[@#!])[^>]*>|@(?:channel|here|everyone)\b")


def complaints_about(text: str) -> list[str]:
    """What a mrkdwn text does that nobody meant: pings, and signs that were not escaped."""
    found = [f"pings: {each}" for each in _PING.findall(text)]
    rest = re.sub(r"^> ", "", _LINK.sub("", text), flags=re.MULTILINE)
    rest = re.sub(r"&(?:amp|lt|gt);", "", rest)
    return found + [f"not escaped: {text[:80]!r}"] * bool(re.search(r"[<>&]", rest))


def mrkdwn_texts(blocks: Any) -> list[str]:
    """Every mrkdwn text inside *blocks*."""
    if isinstance(blocks, list):
        return [text for each in blocks for text in mrkdwn_texts(each)]
    if not isinstance(blocks, dict):
        return []
    own = [blocks["text"]] if blocks.get("type") == "mrkdwn" else []
    return own + [text for each in blocks.values() if isinstance(each, dict | list) for text in mrkdwn_texts(each)]


def markdown_texts(blocks: Any) -> list[str]:
    """The Markdown of every markdown block."""
    return [each["text"] for each in blocks or [] if each.get("type") == "markdown"]

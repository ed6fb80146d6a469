"""What a Slack message says, without Slack's markup (pure)."""

import html
import re
from collections.abc import Mapping
from typing import Any

Event = Mapping[str, Any]

_PEOPLE_SPEAK = {None, "file_share", "thread_broadcast", "me_message"}
_LINK = re.compile(r"<((?:https?|mailto|tel):[^<>|]+)(?:\|([^<>]+))?>")
_PERSON = re.compile(r"<@([A-Z0-9]+)(?:\|([^<>]+))?>")
_CHANNEL = re.compile(r"<#([A-Z0-9]+)(?:\|([^<>]*))?>")
_SPECIAL = re.compile(r"<!(?:subteam\^[A-Z0-9]+|date\^[^|>]*|[a-z]+)(?:\|([^<>]+))?>")
_QUOTED = re.compile(r"\s*(?:&gt;|>)\s?(.*)")


def is_said_by_person(event: Event, bot_user: str) -> bool:
    """Whether a person said it: no bot, no join, no edit, not ourselves."""
    user = event.get("user")
    if not user or user in (bot_user, "USLACKBOT") or event.get("bot_id") or event.get("hidden"):
        return False
    return event.get("subtype") in _PEOPLE_SPEAK and bool(event.get("channel")) and bool(event.get("ts"))


def is_addressed(event: Event, bot_user: str) -> bool:
    """Whether the message mentions the bot."""
    return f"<@{bot_user}" in str(event.get("text") or "")


def is_for_others(event: Event, bot_user: str) -> bool:
    """Whether members address each other: somebody else is mentioned, and the bot is not."""
    return not is_addressed(event, bot_user) and bool(_PERSON.search(str(event.get("text") or "")))


def question_and_quote(event: Event, bot_user: str) -> tuple[str, str]:
    """A message's own words without the mention of the bot, and the passage that it quotes or shares."""
    own: list[str] = []
    quoted: list[str] = []
    for line in re.sub(rf"<@{bot_user}(?:\|[^>]*)?>", " ", str(event.get("text") or "")).split("\n"):
        found = _QUOTED.match(line)
        (quoted if found else own).append(found[1] if found else line)
    return plain_text("\n".join(own)), plain_text("\n".join(quoted)) or _shared(event)


def text_of(message: Event) -> str:
    """Everything a reader sees in a message: its words, or those of a message it shares."""
    return plain_text(str(message.get("text") or "")) or _shared(message)


def plain_text(text: str) -> str:
    """mrkdwn as a person reads it: names and addresses for codes, letters for escapes."""
    text = _LINK.sub(lambda found: found[2] or found[1], text)
    text = _PERSON.sub(lambda found: f"@{found[2]}" if found[2] else "", text)
    text = _CHANNEL.sub(lambda found: f"#{found[2]}" if found[2] else "", text)
    text = _SPECIAL.sub(lambda found: found[1] or "", text)
    return html.unescape(text).strip()


def _shared(event: Event) -> str:
    """The text of a message that was shared along."""
    for each in event.get("attachments") or []:
        if each.get("is_share") or each.get("is_msg_unfurl") or each.get("message_blocks"):
            text = plain_text(str(each.get("text") or each.get("fallback") or ""))
            if text:
                return text
    return ""

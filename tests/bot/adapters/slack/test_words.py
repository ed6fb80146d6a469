"""Slack's markup, read as a person reads it."""

from typing import Any

import pytest

from bot.adapters.slack.words import is_addressed, is_for_others, is_said_by_person, plain_text, question_and_quote

BOT = "U0BOT"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("a &lt; b &amp;&amp; c", "a < b && c"),
        ("<https://a.example/x?a=1&amp;b=2|the page>", "the page"),
        ("<https://a.example/x>", "https://a.example/x"),
        ("<mailto:a@b.example|a@b.example>", "a@b.example"),
        ("hi <@U1|ann> and <@U2>", "hi @ann and"),
        ("in <#C1|robots> or <#C2>", "in #robots or"),
        ("<!here> and <!subteam^S1|@tutors>", "and @tutors"),
        ("<!date^139^{date}|yesterday>", "yesterday"),
    ],
)
def test_codes_become_words(text: str, read: str) -> None:
    assert plain_text(text) == read


@pytest.mark.parametrize(
    ("text", "question", "quote"),
    [
        (f"<@{BOT}> why?", "why?", ""),
        (f"<@{BOT}|footnote>: why?", ": why?", ""),
        (f"&gt; a passage\n<@{BOT}> why?", "why?", "a passage"),
        (f"> one\n> two\n<@{BOT}> why?", "why?", "one\ntwo"),
        ("a -&gt; b?", "a -> b?", ""),
    ],
)
def test_own_words_and_quoted_ones_are_told_apart(text: str, question: str, quote: str) -> None:
    assert question_and_quote({"text": text}, BOT) == (question, quote)


@pytest.mark.parametrize(
    ("text", "to_us", "to_others"),
    [
        (f"<@{BOT}> why?", True, False),
        (f"<@U1> ask <@{BOT}>", True, False),
        ("<@U1> why?", False, True),
        ("why?", False, False),
    ],
)
def test_who_is_meant(text: str, to_us: bool, to_others: bool) -> None:
    assert is_addressed({"text": text}, BOT) == to_us
    assert is_for_others({"text": text}, BOT) == to_others


@pytest.mark.parametrize(
    ("changed", "is_person"),
    [
        ({}, True),
        ({"subtype": "file_share"}, True),
        ({"subtype": "thread_broadcast"}, True),
        ({"subtype": "bot_message", "bot_id": "B1"}, False),
        ({"subtype": "channel_join"}, False),
        ({"user": BOT}, False),
        ({"user": None}, False),
        ({"hidden": True}, False),
    ],
)
def test_who_speaks(changed: dict[str, Any], is_person: bool) -> None:
    event = {"user": "U1", "channel": "C1", "ts": "1.0", "text": "hi", **changed}

    assert is_said_by_person(event, BOT) == is_person

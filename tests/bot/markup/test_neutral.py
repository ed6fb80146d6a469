"""Nothing in a reply pings, unfurls or hides."""

import re
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.markup import (
    clean,
    discord_link,
    escape_discord,
    escape_markdown,
    escape_mrkdwn,
    mrkdwn_link,
    to_discord,
    to_mrkdwn,
    to_plain,
    to_slack_markdown,
)
from tests.fakes.slack.view import mrkdwn_html

Render = Callable[[str], str]
RENDERERS = st.sampled_from([to_discord, to_mrkdwn, to_slack_markdown, to_plain])
HOSTILE = st.sampled_from(
    ["@everyone", "@here", "<@123>", "<@&9>", "<#77>", "<!channel>", "<!subteam^S1>", "</ask:1>", "`", "```", "\n",
     "<https://evil.example>", "https://evil.example/x", "[a](https://evil.example)", "![p](https://evil.example/p)",
     "**", "*", "_", "~~", "||", "[", "](", ")", "<", ">", "&", "\\", " ", "word", "\u202e", "\x1b[31m", "- "]
)  # fmt: skip
TEXTS = st.lists(HOSTILE, max_size=25).map("".join)


def active(rendered: str, *, has_escapes: bool = True) -> str:
    """What a platform acts on: neither escaped signs nor code."""
    escapes = r"\\.|" if has_escapes else ""
    return re.sub(rf"```.*?```|{escapes}``.+?``|`[^`]*`", "", rendered, flags=re.DOTALL)


@given(TEXTS)
@example("`@everyone```</ask:1>`")
@example("~~~\n````\n</ask:1>\n~~~")
@settings(max_examples=300, deadline=None)
def test_nothing_pings_on_discord(text: str) -> None:
    rendered = to_discord(text)

    assert not re.search(r"@(everyone|here)", rendered)
    assert not re.search(r"<[@#/]", active(rendered))


@given(TEXTS)
@settings(max_examples=300, deadline=None)
def test_nothing_pings_on_slack(text: str) -> None:
    for rendered in (to_mrkdwn(text), to_slack_markdown(text)):
        assert not re.search(r"<[@#!]", rendered)
        assert not re.search(r"@(everyone|here|channel)", rendered)


@given(TEXTS, st.sampled_from([to_discord, to_mrkdwn, to_slack_markdown]))
@settings(max_examples=300, deadline=None)
def test_no_address_but_a_footnotes_becomes_a_link(text: str, render: Render) -> None:
    rendered = active(render(text), has_escapes=render is not to_mrkdwn)

    assert not re.search(r"\]\(<?https?://evil", rendered)
    assert not re.search(r"https?://evil", rendered)


@given(st.text(max_size=300), RENDERERS)
@settings(max_examples=300, deadline=None)
def test_any_text_can_be_rendered(text: str, render: Render) -> None:
    rendered = render(text)

    assert "\x1b" not in rendered
    assert rendered.strip() or not re.search(r"\w", re.sub(r"&\w*;?", "", text))


@pytest.mark.parametrize(
    ("render", "shown"),
    [
        (to_discord, "go to `https://evil.example/x`, now"),
        (to_mrkdwn, "go to `https://evil.example/x`, now"),
        (to_plain, "go to https://evil.example/x, now"),
    ],
    ids=["discord", "mrkdwn", "plain"],
)
def test_an_unknown_address_is_shown_but_cannot_be_clicked(render: Render, shown: str) -> None:
    assert render("go to https://evil.example/x, now") == shown


def test_a_link_to_a_footnotes_page_stays_a_link() -> None:
    links = {1: "https://book.example/page"}

    assert to_discord("[here](https://book.example/page#a)", links) == "[here](<https://book.example/page#a>)"
    assert to_mrkdwn("see https://book.example/page", links).startswith("see <https://book.example/page|")


def test_a_link_inside_the_book_keeps_its_words() -> None:
    assert to_discord("see [the chapter](../ch04.md)") == "see the chapter"


@pytest.mark.parametrize(
    ("text", "discord", "slack"),
    [
        ("a_b*c", "a\\_b\\*c", "a_b*c"),
        ("<@1> & co", "\\<@1> & co", "&lt;@1&gt; &amp; co"),
        ("two\nlines", "two lines", "two lines"),
        ("a:b:c", "a:b:c", "a:\u2060b:c"),
    ],
    ids=["styles", "mention", "lines", "emoji code"],
)
def test_titles_are_shown_letter_by_letter(text: str, discord: str, slack: str) -> None:
    assert escape_discord(text) == discord
    assert escape_mrkdwn(text) == slack


@given(st.lists(st.sampled_from(["a", "b c", "*", "_", "~", " ", "x_y"]), max_size=12).map("".join))
def test_stray_signs_style_nothing_on_slack(text: str) -> None:
    assert not re.search(r"<[bis]>", mrkdwn_html(escape_mrkdwn(text)))


@given(st.text(max_size=60))
@settings(max_examples=200, deadline=None)
def test_words_escaped_for_markdown_are_read_as_they_were(text: str) -> None:
    assert to_plain(escape_markdown(text)).split() == clean(text).split()


def test_a_title_links_only_to_a_web_address() -> None:
    assert discord_link("A (b)", "https://book.example/a(b)") == "[A (b)](<https://book.example/a%28b%29>)"
    assert mrkdwn_link("A | b", "https://book.example/?a=1&b=2") == "<https://book.example/?a=1&amp;b=2|A ¦ b>"
    assert discord_link("A", "javascript:alert(1)") == "A"
    assert mrkdwn_link("A", "") == "A"

"""Long text in parts: nothing lost, nothing too long, nothing broken."""

import re
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.markup import to_discord, to_mrkdwn, to_slack_markdown
from bot.splitting import shortened, split, units

LINK = "[[1]](<https://book.example/a/very/long/path#section>)"
FENCE = "\n```python\nprint('hello')\nprint('you')\n```\n"
PIECES = st.sampled_from(
    ["word", "longer words.", "Done [1].", LINK, "`code with blanks`", "**bold words**", "\n", "\n\n", " ", FENCE,
     "\n- item ", "\n1. first ", "\n> quoted ", "\n# Heading\n", "😀", "👩🏽‍🔬", "é", "🇩🇪", "x" * 90, "&lt;b&gt;",
     "<https://book.example/p|[2]>"]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=60).map("".join)


def letters(text: str) -> str:
    """What must survive: everything but blanks, fences and the signs that a cut repeats."""
    return re.sub(r"\s+|```\w*|^> ?|(?<=\n)> ?", "", text)


def has_balanced_fences(text: str) -> bool:
    return len(re.findall(r"^```", text, re.MULTILINE)) % 2 == 0


@given(TEXTS, st.integers(64, 400))
@example(f"&lt;b&gt;\n\n\n{LINK}", 64)
@settings(max_examples=400, deadline=None)
def test_nothing_is_lost_and_every_part_stands_alone(text: str, limit: int) -> None:
    parts = split(text, limit)

    assert letters("\n".join(parts)) == letters(text)
    assert all(units(part) <= limit for part in parts)
    assert all(has_balanced_fences(part) for part in parts)


@given(st.text(max_size=3000), st.integers(64, 300))
@settings(max_examples=200, deadline=None)
def test_any_text_ends_in_parts_within_the_limit(text: str, limit: int) -> None:
    parts = split(text, limit)

    assert all(units(part) <= limit for part in parts)
    assert re.sub(r"\s|`|>", "", "".join(parts)) == re.sub(r"\s|`|>", "", text)


@given(TEXTS, st.sampled_from([to_discord, to_mrkdwn, to_slack_markdown]))
@settings(max_examples=150, deadline=None)
def test_rendered_text_splits_with_its_fences_whole(text: str, render: Callable[[str], str]) -> None:
    parts = split(render(text), 200)

    assert all(units(part) <= 200 and has_balanced_fences(part) for part in parts)


def test_short_text_is_one_part() -> None:
    assert split("Hello.\n", 2000) == ["Hello."]


def test_empty_text_is_one_empty_part() -> None:
    assert split("", 2000) == [""]


@pytest.mark.parametrize("length", [pytest.param(100, id="at the limit"), pytest.param(101, id="one over")])
def test_a_part_is_as_long_as_allowed_and_no_longer(length: int) -> None:
    assert [len(part) for part in split("x" * length, 100)] == ([100] if length == 100 else [100, 1])


def test_paragraphs_are_cut_between_rather_than_through() -> None:
    first, second = "One sentence. " * 5, "Another sentence. " * 5

    assert split(f"{first.strip()}\n\n{second.strip()}", 100) == [first.strip(), second.strip()]


def test_a_list_is_cut_between_items() -> None:
    items = [f"- item {number} with some words in it" for number in range(6)]

    parts = split("\n".join(items), 110)

    assert all(line in items for part in parts for line in part.split("\n"))


def test_a_fence_that_fits_a_part_of_its_own_stays_whole() -> None:
    fence = "```python\n" + "\n".join(f"line_{number} = {number}" for number in range(6)) + "\n```"

    assert split(f"Short words first.\n\n{fence}", 90) == ["Short words first.", fence]


def test_a_long_fence_is_closed_and_opened_again_with_its_language() -> None:
    code = "\n".join(f"line_{number} = {number}" for number in range(20))

    parts = split(f"```python\n{code}\n```", 100)

    assert len(parts) > 2
    assert all(part.startswith("```python\n") and part.endswith("\n```") for part in parts)
    assert "\n".join(part.removeprefix("```python\n").removesuffix("\n```") for part in parts) == code


def test_a_link_is_never_cut() -> None:
    parts = split("word " * 15 + LINK + " and so on, and so on.", 100)

    assert any(LINK in part for part in parts)


def test_a_heading_stays_with_what_it_heads() -> None:
    parts = split("Words before it. " * 4 + "\n\n# Heading\n\n" + "Words after it. " * 4, 85)

    assert not any(part.rstrip().endswith("# Heading") for part in parts)


def test_a_sentence_keeps_the_mark_behind_it() -> None:
    first, second = "The first sentence is this one here.[1]", "The second is long, long, very long.[2]"

    assert split(f"{first} {second}", 64) == [first, second]


@pytest.mark.parametrize("sign", ["👩🏽‍🔬", "é", "🇩🇪", "1️⃣"])
def test_a_sign_of_several_characters_is_not_taken_apart(sign: str) -> None:
    parts = split(sign * 60, 64)

    assert all(len(part) % len(sign) == 0 for part in parts)


def test_wide_signs_count_as_two() -> None:
    assert [len(part) for part in split("😀" * 64, 64)] == [32, 32]


def test_a_quote_cut_in_its_line_goes_on_as_a_quote() -> None:
    assert all(part.startswith("> ") for part in split("> " + "words " * 40, 80))


def test_too_little_room_is_refused() -> None:
    with pytest.raises(ValueError, match="64"):
        split("text", 10)


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [("short", 10, "short"), ("one two three", 9, "one two…"), ("x" * 20, 5, "xxxx…"), ("😀" * 4, 5, "😀😀…")],
    ids=["fits", "at a word", "one long word", "wide"],
)
def test_shortening_shows_that_there_was_more(text: str, limit: int, shown: str) -> None:
    assert shortened(text, limit) == shown

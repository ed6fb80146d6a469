"""What a reply's Markdown becomes on each platform."""

import pytest

from bot.markup import to_discord, to_mrkdwn, to_plain, to_slack_markdown

PAGE = "https://book.example/ownership"


@pytest.mark.parametrize(
    ("markdown", "discord", "mrkdwn", "slack_markdown", "plain"),
    [
        pytest.param("**bold** text", "**bold** text", "*bold* text", "**bold** text", "bold text", id="bold"),
        pytest.param("an *odd* one", "an *odd* one", "an _odd_ one", "an *odd* one", "an odd one", id="italic"),
        pytest.param("~~gone~~", "~~gone~~", "~gone~", "~~gone~~", "gone", id="strike"),
        pytest.param("## Moves", "## Moves", "*Moves*", "## Moves", "Moves", id="heading"),
        pytest.param("##### Deep", "### Deep", "*Deep*", "### Deep", "Deep", id="deeper heading"),
        pytest.param("- a\n- b", "- a\n- b", "• a\n• b", "- a\n- b", "- a\n- b", id="list"),
        pytest.param("3. c\n4. d", "3. c\n4. d", "3. c\n4. d", "3. c\n4. d", "3. c\n4. d", id="numbers go on"),
        pytest.param("- a\n  - b", "- a\n  - b", "• a\n    ◦ b", "- a\n  - b", "- a\n  - b", id="nested list"),
        pytest.param("> said", "> said", "> said", "> said", "> said", id="quote"),
        pytest.param("`a & b`", "`a & b`", "`a &amp; b`", "`a & b`", "a & b", id="code"),
        pytest.param("1 < 2 & 3", "1 \\< 2 & 3", "1 &lt; 2 &amp; 3", "1 &lt; 2 &amp; 3", "1 < 2 & 3", id="signs"),
        pytest.param("a\nb", "a\nb", "a\nb", "a  \nb", "a\nb", id="a line ends where the writer ended it"),
        pytest.param("2 \\* 3", "2 \\* 3", "2 * 3", "2 \\* 3", "2 * 3", id="escaped star"),
        pytest.param("$x^2 \\le y_1$", "x² ≤ y₁", "x² ≤ y₁", "x² ≤ y₁", "x² ≤ y₁", id="maths"),
        pytest.param("\\# no head", "\\# no head", "# no head", "\\# no head", "# no head", id="hash"),
        pytest.param("1986\\. A day", "1986\\. A day", "1986. A day", "1986\\. A day", "1986. A day", id="year"),
    ],
)  # fmt: skip
def test_each_platform_gets_its_own_markup(
    markdown: str, discord: str, mrkdwn: str, slack_markdown: str, plain: str
) -> None:
    assert to_discord(markdown) == discord
    assert to_mrkdwn(markdown) == mrkdwn
    assert to_slack_markdown(markdown) == slack_markdown
    assert to_plain(markdown) == plain


def test_marks_lead_to_their_page() -> None:
    links = {1: PAGE}

    assert to_discord("Moved [1][2].", links) == f"Moved [[1]](<{PAGE}>)[2]."
    assert to_mrkdwn("Moved [1][2].", links) == f"Moved <{PAGE}|[1]>[2]."
    assert to_slack_markdown("Moved [1][2].", links) == f"Moved [[1]]({PAGE})[2]."
    assert to_plain("Moved [1][2].", links) == "Moved [1][2]."


def test_a_mark_that_a_writer_gave_another_address_keeps_only_ours() -> None:
    assert to_discord("Moved [1](https://evil.example).", {1: PAGE}) == f"Moved [[1]](<{PAGE}>)."


def test_a_mark_and_a_bracket_beside_it_do_not_become_a_link() -> None:
    assert to_discord("Moved [1] (see above)") == "Moved [1] (see above)"
    assert to_discord("Moved [1]\\(https://evil.example)").startswith("Moved [1]\\(")


def test_a_formula_alone_on_its_lines_stands_in_a_block() -> None:
    assert to_discord("Hence\n\n$$\n\\frac{a+b}{2} \\ge \\sqrt{ab}\n$$") == "Hence\n\n```\n(a+b)/2 ≥ √(ab)\n```"


def test_prices_are_not_maths() -> None:
    assert to_plain("It costs $5 here and $10 there.") == "It costs $5 here and $10 there."


def test_a_table_becomes_aligned_columns() -> None:
    table = "| name | size |\n|:--|--:|\n| i8 | 1 |\n| `usize` | 8 [1] |"

    assert to_discord(table) == "```\nname  │  size\n──────┼──────\ni8    │     1\nusize │ 8 [1]\n```"
    assert to_plain(table).startswith("    name  │  size")


def test_a_table_too_wide_for_a_chat_becomes_records() -> None:
    table = f"| name | meaning |\n|--|--|\n| drop | {'a long explanation ' * 5}|"

    rendered = to_discord(table)

    assert rendered.startswith("- **name**: drop\n  **meaning**: a long explanation")


def test_code_keeps_its_language_where_the_platform_has_one() -> None:
    code = "```rust,ignore\nlet s = &x;\n```"

    assert to_discord(code) == "```rust\nlet s = &x;\n```"
    assert to_mrkdwn(code) == "```\nlet s = &amp;x;\n```"
    assert to_plain(code) == "    let s = &x;"


def test_half_written_text_is_closed_where_it_ends() -> None:
    assert to_discord("So **far\n\n```python\nprint(1)") == "So \\*\\*far\n\n```python\nprint(1)\n```"


def test_a_fence_in_a_list_or_a_quote_stands_on_its_own() -> None:
    assert to_discord("- see\n\n  ```\n  x\n  ```\n- next") == "- see\n```\nx\n```\n- next"
    assert to_discord("> see\n> ```\n> x\n> ```") == "> see\n\n```\nx\n```"


def test_every_word_of_a_link_definition_is_kept() -> None:
    assert "book" in to_plain("[1]: https://book.example/x")

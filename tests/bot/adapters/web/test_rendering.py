"""Markdown to HTML that can do no harm, with marks that lead to footnotes and quotes that can be seen."""

import pytest

from bot.adapters.web.marking import find_quote, render_marked
from bot.adapters.web.rendering import render


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<svg/onload=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](data:text/html,<script>alert(1)</script>)",
        "[x](vbscript:msgbox)",
        "![x](javascript:alert(1))",
        "<a href='javascript:alert(1)'>x</a>",
        '[x](https://ok.example "onmouseover=alert(1)")',
        "`<b>`\n\n```html\n<script>alert(1)</script>\n```",
        "<!-- --><iframe src=//evil>",
        "| <script>a</script> |\n|--|\n| <b>x</b> |",
        "[1]: javascript:alert(1)\n[1]",
    ],
    ids=lambda text: text[:24],
)
def test_nothing_that_runs_survives(hostile: str) -> None:
    html = render_marked(hostile, hostile)

    for bad in (
        "<script",
        "<img",
        "<svg",
        "<iframe",
        "<b>",
        "onerror=alert(1)>",
        'href="javascript',
        'href="data',
    ):
        assert bad not in html.lower()


def test_a_mark_becomes_a_button_that_says_where_it_leads() -> None:
    html = render("Nodes talk [1], see `x[1]` and [2].", footnotes={1: 'The "graph"'})

    assert html.count("<button") == 1
    assert 'data-number="1" aria-label="Footnote 1: The &quot;graph&quot;"' in html
    assert "<code>x[1]</code> and [2]." in html


def test_links_open_elsewhere_and_pictures_are_told() -> None:
    html = render("See [it](https://a.example) or [here](/read/b/c). ![A robot](robot.png)")

    assert '<a href="https://a.example" target="_blank" rel="noopener noreferrer nofollow">' in html
    assert '<a href="/read/b/c">here</a>' in html
    assert '<span class="picture">A robot</span>' in html


@pytest.mark.parametrize(
    ("text", "quote", "marked"),
    [
        pytest.param("One. Two is it. Three.", "Two is it.", "<mark>Two is it.</mark>", id="a sentence"),
        pytest.param(
            "A **bold one** here.", "A **bold one**", "<strong><mark>bold one</mark></strong>", id="bold"
        ),
        pytest.param("x _a_ y", "_a_ y", "<em><mark>a</mark></em><mark> y</mark>", id="emphasis at an end"),
        pytest.param("- one\n- two", "- one\n- two", "<li><mark>two</mark></li>", id="a whole list"),
        pytest.param("## Head\n\ntext", "## Head", "<h2><mark>Head</mark></h2>", id="a heading"),
        pytest.param("```py\na = 1\n```\n", "```py\na = 1\n```", "<mark>a = 1</mark>", id="a code block"),
        pytest.param("| a |\n|--|\n| b |\n\nend", "| b |", "<td><mark>b</mark></td>", id="a table row"),
        pytest.param("one\ntwo three", "one two", "<mark>one\ntwo</mark>", id="over a line's end"),
        pytest.param("a < b & c", "< b & c", "<mark>&lt; b &amp; c</mark>", id="signs that are escaped"),
        pytest.param("Long words here", "Long words…", "<mark>Long words</mark>", id="a shortened quote"),
    ],
)
def test_the_supporting_words_are_marked(text: str, quote: str, marked: str) -> None:
    assert marked in render_marked(text, quote)


@pytest.mark.parametrize("quote", ["", "   ", "not in it", "…"], ids=repr)
def test_a_quote_that_is_not_there_marks_nothing(quote: str) -> None:
    assert render_marked("Some words.", quote) == "<p>Some words.</p>\n"
    assert find_quote("Some words.", quote) is None


def test_words_after_a_marked_table_are_not_marked() -> None:
    assert "<p>end</p>" in render_marked("| a |\n|--|\n| b |\n\nend", "| a |\n|--|\n| b |")

from pathlib import Path

import pytest

from core.errors import UnreadableFile
from core.ingestion.lesson import BlockKind
from core.ingestion.readers.html import read
from core.ingestion.readers.html.page import links, parse
from tests.core.ingestion.making import a_source, prose
from tests.core.ingestion.readers.raised_numbers import RAISED


def _text(body: str) -> str:
    page = parse(f"<html><body>{body}</body></html>".encode(), name="page")
    return "".join(block.text for block in page.blocks).strip()


def test_a_page_is_read_without_what_surrounds_it(tmp_path: Path) -> None:
    page = f"""<html><head><title>Site | Sensors</title><script>track()</script></head><body>
    <nav><a href="/">Home</a></nav><main><article><h1 id="s">Sensors</h1><p>{prose(30)}</p>
    <h2 id="lidar">Lidar</h2><p>It measures distance.</p></article></main>
    <footer>Copyright</footer></body></html>"""

    lesson = read(a_source(tmp_path / "sensors.html", page))[0]

    assert lesson.title == "Sensors"
    assert "Home" not in lesson.text
    assert "Copyright" not in lesson.text
    assert "track" not in lesson.text
    assert lesson.blocks[-1].heading == ("Sensors", "Lidar")
    assert lesson.blocks[-1].anchor == "lidar"


@pytest.mark.parametrize(
    ("intro", "details", "page"),
    [
        pytest.param(80, 200, "<main><article>{intro}</article>{details}</main>", id="a short article in main"),
        pytest.param(200, 120, "<main><article>{intro}</article>{details}</main>", id="a longer one"),
        pytest.param(200, 120, "<main><article>{intro}</article><article>{details}</article></main>", id="two"),
        pytest.param(80, 200, "<article>{intro}</article>{details}", id="a short article alone"),
        pytest.param(80, 200, "<div role=main><article>{intro}</article>{details}</div>", id="main by its role"),
    ],
)
def test_what_stands_beside_an_article_is_read_too(intro: int, details: int, page: str) -> None:
    article = f"<h1>Intro</h1><p>{prose(intro)}</p>"
    section = f"<section><h2>Details</h2><p>{prose(details, word='detail')}</p></section>"

    text = _text("<header>Site</header>" + page.format(intro=article, details=section))

    assert f"detail{details - 1}" in text
    assert f"word{intro - 1}" in text
    assert "Site" not in text


@pytest.mark.parametrize(
    "surroundings",
    [
        pytest.param(f"<footer>{prose(300, word='small')}</footer>", id="a long footer"),
        pytest.param(f"<script>{prose(300, word='small')}</script>", id="a long script"),
        pytest.param(f"<aside><p>{prose(300, word='small')}</p></aside>", id="a long side bar"),
    ],
)
def test_what_surrounds_an_article_does_not_make_it_small(surroundings: str) -> None:
    text = _text(f"<main><article><p>{prose(100)}</p></article></main><p>Subscribe!</p>{surroundings}")

    assert text == prose(100)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(
            "<p>Some <b>bold</b> &amp; <i>soft</i> <code>x</code>.</p>", "Some **bold** & *soft* `x`.", id="marks"
        ),
        pytest.param("<ul><li>one</li><li>two<ul><li>in</li></ul></li></ul>", "- one\n- two\n  - in", id="lists"),
        pytest.param("<ol start=3><li>three</li><li>four</li></ol>", "3. three\n4. four", id="numbered lists"),
        pytest.param(
            "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2|3</td></tr></table>",
            "| a | b |\n| --- | --- |\n| 1 | 2\\|3 |",
            id="tables",
        ),
        pytest.param(
            '<pre><code class="language-python">x = 1\n  y</code></pre>',
            "```python\nx = 1\n  y\n```",
            id="listings",
        ),
        pytest.param("<dl><dt>Node</dt><dd>A program.</dd></dl>", "**Node**: A program.", id="definitions"),
        pytest.param("<blockquote><p>Said.</p></blockquote>", "> Said.", id="quotes"),
        pytest.param(
            "<p><math><mfrac><mi>a</mi><mn>2</mn></mfrac></math> is half.</p>", "$a/2$ is half.", id="formulas"
        ),
        pytest.param('<p style="display: none">hidden</p><p>shown</p>', "shown", id="what is not displayed"),
        pytest.param("<p>zero\u200bwidth</p>", "zerowidth", id="hidden characters"),
    ],
)
def test_elements_are_written_as_light_markdown(body: str, expected: str) -> None:
    assert _text(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [*RAISED, ("2<sup><i>n</i>+1</sup>", "2^(n+1)"), ("a word<sup><a>1</a></sup>", "a word[1]")],
)
def test_what_is_raised_or_lowered_changes_no_number(body: str, expected: str) -> None:
    assert _text(f"<p>{body}.</p>") == f"{expected}."


def test_a_book_on_one_page_is_divided(tmp_path: Path) -> None:
    chapters = "".join(f"<h1>{n} Chapter</h1><p>{prose(8000, word=f'c{n}x')}</p>" for n in range(1, 5))

    lessons = read(a_source(tmp_path / "book.html", f"<html><title>Book</title><body>{chapters}</body></html>"))

    assert [lesson.title for lesson in lessons] == ["1 Chapter", "2 Chapter", "3 Chapter", "4 Chapter"]
    assert [lesson.place.chapter for lesson in lessons] == [1, 2, 3, 4]
    assert {lesson.address for lesson in lessons} == {"book.html"}


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param('<meta charset="iso-8859-1"><p>Größe'.encode("latin-1"), id="declared"),
        pytest.param("<p>Größe".encode("utf-16"), id="UTF-16"),
        pytest.param("<p>Größe".encode("cp1252"), id="undeclared Windows letters"),
        pytest.param(
            b"<?xml version='1.0'?><html xmlns='x'><body><p>Gr\xc3\xb6\xc3\x9fe<br/></p></body></html>", id="XHTML"
        ),
    ],
)
def test_pages_are_decoded_as_a_browser_would(raw: bytes) -> None:
    assert parse(raw, name="page").blocks[0].text == "Größe\n\n"


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        pytest.param(b" \n", "is empty", id="blank"),
        pytest.param(b"\x00\x01\x02" * 100, "not text", id="binary"),
        pytest.param(b"<div>" * 3_000, "nests more than 2000", id="nested without end"),
    ],
)
def test_a_page_that_cannot_be_read_says_why(tmp_path: Path, raw: bytes, message: str) -> None:
    with pytest.raises(UnreadableFile, match=message):
        read(a_source(tmp_path / "page.html", raw))


def test_a_page_without_words_of_its_own_has_no_lesson(tmp_path: Path) -> None:
    assert read(a_source(tmp_path / "search.html", "<html><body><nav>Menu</nav></body></html>")) == []


def test_links_marked_nofollow_are_not_given() -> None:
    found, canonical = links(
        b'<link rel=canonical href="/a"><a href="/b">b</a><a rel="nofollow" href="/c">c</a>', name="page"
    )

    assert (found, canonical) == (["/b"], "/a")


def test_formulas_on_a_line_of_their_own_are_blocks() -> None:
    page = parse(b'<body><p>So:</p><math display="block"><mi>x</mi></math></body>', name="page")

    assert page.blocks[-1].kind is BlockKind.FORMULA

from pathlib import Path

import pytest

from core.errors import UnreadableFile
from core.ingestion.lesson import BlockKind, Lesson
from core.ingestion.readers.pdf import read
from tests.core.ingestion.making import a_source, prose
from tests.core.ingestion.readers.pdf_making import Mark, Words, a_pdf, column, wrapped


def _read(tmp_path: Path, content: bytes) -> list[Lesson]:
    return read(a_source(tmp_path / "book.pdf", content))


def test_lines_become_paragraphs_that_know_their_page(tmp_path: Path) -> None:
    first, second = prose(60), prose(60, word="other")
    lesson = _read(tmp_path, a_pdf([column(wrapped(first)), column(wrapped(second))]))[0]

    assert [block.text.strip() for block in lesson.blocks] == [first, second]
    assert [block.anchor for block in lesson.blocks] == ["page=1", "page=2"]


def test_a_paragraph_goes_on_over_the_page(tmp_path: Path) -> None:
    pages = [
        column(["A sentence begins on the first page and", "goes on for a second line without"]),
        column(["an end until here."]),
    ]

    lesson = _read(tmp_path, a_pdf(pages))[0]

    assert lesson.text.strip() == (
        "A sentence begins on the first page and goes on for a second line without an end until here."
    )


def test_bookmarks_give_the_headings(tmp_path: Path) -> None:
    pages = [
        [Words("1 Sensing", 72, 780, 16), *column(wrapped(prose(80)))],
        [Words("2 Moving", 72, 780, 16), *column(wrapped(prose(80, word="step")))],
    ]
    lesson = _read(tmp_path, a_pdf(pages, bookmarks=[Mark("Sensing", 0), Mark("Moving", 1)], title="Robots"))[0]

    headings = [(block.heading, block.anchor) for block in lesson.blocks if block.kind is BlockKind.HEADING]
    assert headings == [(("1 Sensing",), "page=1"), (("2 Moving",), "page=2")]
    assert lesson.title == "Robots"
    assert lesson.text.count("Sensing") == 1


def test_without_bookmarks_large_type_is_a_heading(tmp_path: Path) -> None:
    pages = [[Words("Sensing", 72, 780, 18), *column(wrapped(prose(80)))]]

    lesson = _read(tmp_path, a_pdf(pages))[0]

    assert lesson.blocks[0].text == "# Sensing\n\n"


def test_a_long_book_is_divided_into_its_chapters(tmp_path: Path) -> None:
    pages: list[list[Words]] = []
    bookmarks: list[Mark] = []
    for chapter in range(1, 4):
        bookmarks.append(Mark(f"Part of it {chapter}", len(pages)))
        for page in range(6):
            lines = wrapped(prose(450, word=f"c{chapter}p{page}w"), 80)
            pages.append(column(lines, step=11, top=800))

    lessons = _read(tmp_path, a_pdf(pages, bookmarks=bookmarks))

    assert [lesson.title for lesson in lessons] == ["Part of it 1", "Part of it 2", "Part of it 3"]
    assert [lesson.place.chapter for lesson in lessons] == [1, 2, 3]
    assert [lesson.blocks[0].anchor for lesson in lessons] == ["page=1", "page=7", "page=13"]


def test_two_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    left = wrapped(prose(150, word="left"), 46)
    right = wrapped(prose(150, word="right"), 46)
    rows = [
        words
        for one, other in zip(column(left, x=60), column(right, x=310), strict=False)
        for words in (one, other)
    ]

    text = " ".join(_read(tmp_path, a_pdf([rows]))[0].text.split())

    assert text.index("left81") < text.index("Right0")


def test_divided_words_are_mended(tmp_path: Path) -> None:
    lines = [
        "The robot uses its percep-",
        "tion and a well-known method, and percep-",
        "tion is well-",
        "known here.",
    ]

    text = _read(tmp_path, a_pdf([column(lines)]))[0].text

    assert "its perception and" in text
    assert "is well-known here" in text


def test_a_listing_keeps_its_lines(tmp_path: Path) -> None:
    listing = ["def go():", "return 1"]
    pages = [
        [
            *column(["The function is short:"]),
            Words(listing[0], 90, 710, 10, "F2"),
            Words(listing[1], 114, 697, 10, "F2"),
            *column(["It is called once."], top=670),
        ]
    ]

    code = next(block for block in _read(tmp_path, a_pdf(pages))[0].blocks if block.kind is BlockKind.CODE)

    assert code.text == "```\ndef go():\n    return 1\n```\n\n"


def test_pages_that_are_pictures_are_reported(tmp_path: Path) -> None:
    lesson = _read(tmp_path, a_pdf([column(wrapped(prose(60))), [], []], pictures=[1, 2]))[0]

    assert lesson.warnings == ("2 pages (2, 3) of 3 are pictures without text and could not be read.",)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"", "is empty", id="empty"),
        pytest.param(b"\x89PNG not a pdf", "is not a PDF, whatever its name says", id="another kind"),
        pytest.param(a_pdf([column(["x"])], is_encrypted=True), "protected by a password", id="encrypted"),
        pytest.param(b"%PDF-1.4\n1 0 obj\n<< /Ty", "cut short or damaged", id="cut short"),
        pytest.param(a_pdf([[]], pictures=[0]), "is a scan", id="a scan"),
        pytest.param(a_pdf([[]]), "holds no text", id="an empty page"),
    ],
)
def test_a_pdf_without_text_is_refused_in_words(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(UnreadableFile, match=message):
        _read(tmp_path, content)


def test_a_web_page_named_like_a_pdf_is_read_as_one(tmp_path: Path) -> None:
    lesson = _read(tmp_path, b"<html><body><p>The file you asked for has moved.</p></body></html>")[0]

    assert "has moved" in lesson.text


def test_a_footnote_does_not_tear_the_paragraph_it_interrupts(tmp_path: Path) -> None:
    first = [
        *column(["The paragraph begins on this page", "and is not yet at its end when", "the page is"]),
        *column(["1 A note that stands at the foot", "of the page."], top=80, size=7, step=9),
    ]
    second = column(["full of words, and it ends here.", "Another sentence follows it."])

    blocks = _read(tmp_path, a_pdf([first, second]))[0].blocks

    assert "when the page is full of words" in blocks[0].text
    assert blocks[1].text == "1 A note that stands at the foot of the page.\n\n"

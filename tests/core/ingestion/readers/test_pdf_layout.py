from pathlib import Path

import pytest

from core.ingestion.lesson import BlockKind, Lesson
from core.ingestion.readers.pdf import read
from tests.core.ingestion.making import a_source, prose
from tests.core.ingestion.readers.pdf_making import Words, a_pdf, column, wrapped


def _read(tmp_path: Path, content: bytes) -> list[Lesson]:
    return read(a_source(tmp_path / "book.pdf", content))


def test_running_heads_and_page_numbers_are_left_out(tmp_path: Path) -> None:
    pages = [
        [
            Words("Robots for all", 72, 810),
            *column(wrapped(prose(80, word=f"p{number}x"))),
            Words(str(number + 10), 300, 30),
        ]
        for number in range(1, 5)
    ]

    text = _read(tmp_path, a_pdf(pages))[0].text

    assert "Robots for all" not in text
    assert "\n11\n" not in f"\n{text}\n"
    assert "P1x0" in text


def test_a_chapters_head_beside_the_page_number_is_left_out(tmp_path: Path) -> None:
    pages = [
        [
            Words(f"Chapter about {name}", 72, 810),
            Words(str(number), 500, 810),
            *column(wrapped(prose(80, word=name))),
        ]
        for number, name in enumerate(["arms", "legs", "eyes"], start=1)
    ]

    assert "Chapter about" not in _read(tmp_path, a_pdf(pages))[0].text


def test_a_printed_table_of_contents_is_left_out(tmp_path: Path) -> None:
    pages = [[Words("Sensing . . . . . . . . . . . 12", 72, 740)], column(wrapped(prose(60)))]

    assert "Sensing" not in _read(tmp_path, a_pdf(pages))[0].text


@pytest.mark.parametrize(
    "pages",
    [
        pytest.param([[f"{name} . . . . . . {n}" for n, name in enumerate("abcd")]], id="numbered"),
        pytest.param([["Preface ...... ix", "About ...... xii"]], id="with Roman numbers"),
        pytest.param([["One ...... 1", "Two ...... 5", "Three ...... 8", "Four ......"]], id="one number missing"),
    ],
)
def test_dots_with_a_page_number_are_a_table_of_contents(tmp_path: Path, pages: list[list[str]]) -> None:
    text = _read(tmp_path, a_pdf([*map(column, pages), column(wrapped(prose(60)))]))[0].text

    assert text.strip() == prose(60)


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(
            ["The arm was oiled once", "and then it was left alone. . . ."], id="a sentence that trails off"
        ),
        pytest.param(["It stood in the rain and", "it rusted there...."], id="another"),
        pytest.param([f"{n}. Name a sensor: ............" for n in range(1, 6)], id="a work sheet"),
    ],
)
def test_dots_without_a_page_number_are_read(tmp_path: Path, lines: list[str]) -> None:
    text = _read(tmp_path, a_pdf([column(lines), column(wrapped(prose(60)))]))[0].text

    assert all(line.strip(" .") in text for line in lines)


def test_titles_that_count_as_the_pages_do_are_read(tmp_path: Path) -> None:
    pages = [
        [Words(f"Exercise {number}", 72, 780, 20), *column(wrapped(prose(40, word=f"p{number}x")))]
        for number in range(1, 4)
    ]

    lesson = _read(tmp_path, a_pdf(pages))[0]

    headings = [block.heading[-1] for block in lesson.blocks if block.kind is BlockKind.HEADING]
    assert headings == ["Exercise 1", "Exercise 2", "Exercise 3"]


def test_a_last_line_that_ends_in_the_pages_number_is_read(tmp_path: Path) -> None:
    ends = ["The robot has motors: 1", "The arm has joints: 2", "The hand has fingers: 3"]
    pages = [
        [*column(wrapped(prose(40, word=f"p{number}x"))), Words(end, 72, 600)] for number, end in enumerate(ends)
    ]

    text = _read(tmp_path, a_pdf(pages))[0].text

    assert all(end in text for end in ends)


def test_a_running_head_in_one_line_with_the_page_number_is_left_out(tmp_path: Path) -> None:
    pages = [
        [Words(f"{number} Robots for all", 72, 700), *column(wrapped(prose(40, word=f"p{number}x")), top=680)]
        for number in range(1, 4)
    ]

    assert "Robots for all" not in _read(tmp_path, a_pdf(pages))[0].text


def test_a_long_head_without_a_gap_before_the_page_number_is_left_out(tmp_path: Path) -> None:
    feet = ["1", "2", "3 Chapter 1. A long title", "4"]
    pages = [[*column(wrapped(prose(40, word=f"x{at}y"))), Words(foot, 72, 30)] for at, foot in enumerate(feet)]

    assert "Chapter" not in _read(tmp_path, a_pdf(pages))[0].text


def test_pages_that_all_say_the_same_are_not_taken_for_running_heads(tmp_path: Path) -> None:
    pages = [[Words("Thank you for listening", 72, 740)] for _ in range(4)]

    assert "Thank you for listening" in _read(tmp_path, a_pdf(pages))[0].text

from pathlib import Path

import pytest

from core.errors import UnreadableFile
from core.ingestion.lesson import BlockKind
from core.ingestion.readers.plain_text import read, text_blocks
from tests.core.ingestion.making import a_source


def test_underlined_lines_are_headings_in_the_order_of_their_marks() -> None:
    blocks = text_blocks("Robots\n******\n\nWords.\n\nParts\n=====\n\nMore.\n\nMoving\n******\n\nEnd.\n")

    assert [block.heading for block in blocks if block.kind is BlockKind.PARAGRAPH] == [
        ("Robots",),
        ("Robots", "Parts"),
        ("Moving",),
    ]


@pytest.mark.parametrize("title", ["CHAPTER IV", "Chapter 12: The Return", "Part II"])
def test_a_line_that_calls_itself_a_chapter_is_a_heading(title: str) -> None:
    blocks = text_blocks(f"{title}\n\nIt was late.\n")

    assert blocks[0].text == f"# {title}\n\n"


def test_a_sentence_about_a_chapter_is_not_a_heading() -> None:
    blocks = text_blocks("Chapter 12 was the longest of all, and nobody liked it.\n")

    assert blocks[0].kind is BlockKind.PARAGRAPH


def test_every_word_is_kept_where_it_stood() -> None:
    text = "One line\n  indented\n\n* item one\n* item two\n\nLast."

    assert "".join(block.text for block in text_blocks(text)).rstrip("\n") == text


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="has no text"):
        read(a_source(tmp_path / "a.txt", " \n\n"))

from pathlib import Path

import pytest

from core.errors import UnreadableFile
from core.ingestion.lesson import BlockKind, LessonPlace
from core.ingestion.readers.lessons import read, slug_of
from tests.core.ingestion.making import a_book, a_source, lessons_of, prose


def test_front_matter_wins_over_the_path(tmp_path: Path) -> None:
    text = (
        "---\ntitle: Real title\nmodule: vla\nchapter: 7\nlesson: 3\nhardware_tier: 2\n"
        "proficiency_level: B1\nlayer: L3\n---\n# Heading\n\nWords enough for a lesson.\n"
    )
    a_book(tmp_path, {"module-1-ros2/chapter-1-x/01-y.md": text})

    lesson = lessons_of(tmp_path)[0]

    assert lesson.title == "Real title"
    assert lesson.place == LessonPlace("vla", 7, 3, tier=2, level="B1", layer="L3")


def test_what_front_matter_leaves_out_comes_from_the_path(tmp_path: Path) -> None:
    a_book(tmp_path, {"module-1-ros2/chapter-1-x/02-y.md": "# My heading\n\nWords enough."})

    lesson = lessons_of(tmp_path)[0]

    assert lesson.title == "My heading"
    assert lesson.place == LessonPlace("ros2", 1, 2)


@pytest.mark.parametrize(
    ("path", "given", "expected"),
    [
        pytest.param("01-part/02-page.md", {}, "part/page", id="numbers are stripped"),
        pytest.param("part/README.md", {}, "part", id="an index stands for its folder"),
        pytest.param("index.md", {}, "", id="the first page"),
        pytest.param("part/page.md", {"page_id": "other"}, "part/other", id="an id replaces the name"),
        pytest.param("part/page.md", {"slug": "/top"}, "top", id="an absolute slug"),
        pytest.param("part/page.md", {"slug": "sub"}, "part/sub", id="a relative slug"),
        pytest.param("part/page.md", {"slug": "../../../etc"}, "etc", id="a slug cannot climb out"),
    ],
)
def test_slugs_are_those_of_the_published_site(path: str, given: dict[str, str], expected: str) -> None:
    assert slug_of(path, **given) == expected


def test_a_whole_book_in_one_file_is_divided_into_its_chapters(tmp_path: Path) -> None:
    chapters = "".join(f"# Chapter {n}\n\n{prose(6000, word=f'c{n}x')}\n\n" for n in range(1, 7))
    lessons = read(a_source(tmp_path / "book.md", chapters))

    assert [lesson.title for lesson in lessons] == [f"Chapter {n}" for n in range(1, 7)]
    assert [lesson.place.chapter for lesson in lessons] == [1, 2, 3, 4, 5, 6]
    assert len({lesson.slug for lesson in lessons}) == 6
    assert "".join(lesson.text for lesson in lessons).replace("\n", "") == chapters.replace("\n", "")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"", "has no text", id="empty"),
        pytest.param(b"---\ntitle: x\n---\n", "has no text", id="front matter alone"),
        pytest.param(bytes(range(256)) * 40, "not a text file", id="binary"),
        pytest.param(b"a" * 33_000_000, "larger than 32 MB", id="far too large"),
    ],
)
def test_a_file_that_holds_no_lesson_is_refused_in_words(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(UnreadableFile, match=message):
        read(a_source(tmp_path / "lesson.md", content))


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param("\ufeff# Títle\r\n\r\nWörter genug\r\n".encode(), id="mark and CRLF"),
        pytest.param("# Títle\n\nWörter genug\n".encode("utf-16"), id="UTF-16"),
        pytest.param("# Títle\r\rWörter genug\r".encode(), id="old Mac line ends"),
        pytest.param("# Tí\u200btle\n\nWör\u202eter ge\U000e0041nug\n".encode(), id="hidden characters"),
    ],
)
def test_every_spelling_of_a_file_reads_the_same(tmp_path: Path, raw: bytes) -> None:
    lesson = read(a_source(tmp_path / "lesson.md", raw))[0]

    assert lesson.text == "# Títle\n\nWörter genug\n\n"


def test_broken_utf8_is_read_with_a_warning(tmp_path: Path) -> None:
    lesson = read(a_source(tmp_path / "lesson.md", b"# Caf\xe9\n\nWords enough for a lesson here.\n"))[0]

    assert "not clean UTF-8" in lesson.warnings[0]
    assert "Words enough" in lesson.text


def test_right_to_left_text_is_kept(tmp_path: Path) -> None:
    lesson = read(a_source(tmp_path / "lesson.md", "# مقدمة\n\nهذا درس قصير عن الروبوتات.\n"))[0]

    assert lesson.title == "مقدمة"
    assert "هذا درس قصير عن الروبوتات." in lesson.text


def test_front_matter_that_cannot_be_read_is_a_warning(tmp_path: Path) -> None:
    lesson = read(a_source(tmp_path / "lesson.md", "---\ntitle: [broken\n---\nWords enough for a lesson.\n"))[0]

    assert "not valid YAML" in lesson.warnings[0]
    assert lesson.blocks[0].kind is BlockKind.PARAGRAPH

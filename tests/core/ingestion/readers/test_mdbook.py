from pathlib import Path

import pytest

from core.ingestion.discovery import read_book
from core.ingestion.lesson import LessonPlace
from tests.core.ingestion.making import a_book, lessons_of

SUMMARY = """\
# Summary

[Foreword](foreword.md)

# Basics

- [Starting](start.md)
  - [Installing `it`](start/install.md)
  - [Not written yet]()
- [Going on](on.md)

# Beyond

- [Advanced](advanced.md)
- [Missing](missing.md)

[Glossary](glossary.md)
"""
TEXT = "Words enough to make a lesson of it.\n"


def _book(tmp_path: Path, **extra: str) -> Path:
    pages = ["foreword", "start", "start/install", "on", "advanced", "glossary"]
    return a_book(
        tmp_path, {"src/SUMMARY.md": SUMMARY, **{f"src/{page}.md": f"# T\n\n{TEXT}" for page in pages}, **extra}
    )


def test_the_summary_gives_order_titles_and_places(tmp_path: Path) -> None:
    lessons = lessons_of(_book(tmp_path))

    assert [(lesson.title, lesson.place, lesson.breadcrumb) for lesson in lessons] == [
        ("Foreword", LessonPlace(None, 0, None), ()),
        ("Starting", LessonPlace("basics", 1, 0), ("Basics",)),
        ("Installing it", LessonPlace("basics", 1, 1), ("Basics", "Starting")),
        ("Going on", LessonPlace("basics", 2, 0), ("Basics",)),
        ("Advanced", LessonPlace("beyond", 3, 0), ("Beyond",)),
        ("Glossary", LessonPlace(None, 0, None), ()),
    ]


def test_pages_have_the_addresses_mdbook_gives_them(tmp_path: Path) -> None:
    assert lessons_of(_book(tmp_path))[2].slug == "start/install.html"


def test_a_chapter_that_is_listed_but_missing_is_named(tmp_path: Path) -> None:
    reader, _ = read_book(_book(tmp_path))

    assert getattr(reader, "refused", ()) == ("SUMMARY.md names missing.md, which is not in the book.",)


def test_the_source_folder_may_be_named_in_the_settings(tmp_path: Path) -> None:
    a_book(
        tmp_path,
        {"book.toml": '[book]\nsrc = "text"\n', "text/SUMMARY.md": "- [One](one.md)\n", "text/one.md": TEXT},
    )

    assert [lesson.source_file for lesson in lessons_of(tmp_path)] == ["text/one.md"]


@pytest.mark.parametrize(
    ("mark", "expected"),
    [
        pytest.param("{{#include ../code/a.rs}}", "one\ntwo\nthree\nfour", id="whole"),
        pytest.param("{{#include ../code/a.rs:2:3}}", "two\nthree", id="lines"),
        pytest.param("{{#include ../code/a.rs:2}}", "two", id="one line"),
        pytest.param("{{#include ../code/a.rs:3:}}", "three\nfour", id="from a line on"),
        pytest.param("{{#rustdoc_include ../code/a.rs:here}}", "two\nthree", id="between anchors"),
        pytest.param("{{#playground ../code/a.rs editable}}", "one\ntwo\nthree\nfour", id="a playground"),
    ],
)
def test_includes_are_filled_in(tmp_path: Path, mark: str, expected: str) -> None:
    listing = "one\n// ANCHOR: here\ntwo\nthree\n// ANCHOR_END: here\nfour\n"
    if ":2" in mark or ":3" in mark:
        listing = "one\ntwo\nthree\nfour\n"
    _book(tmp_path, **{"code/a.rs": listing, "src/on.md": f"See:\n\n```text\n{mark}\n```\n"})

    assert f"```text\n{expected}\n```" in lessons_of(tmp_path)[3].text


@pytest.mark.parametrize(
    ("body", "warning"),
    [
        pytest.param("{{#include ../code/no.rs}}", "It includes ../code/no.rs, which is missing.", id="missing"),
        pytest.param(
            "{{#include a.rs}}{{#include b.rs}}", "2 files that are missing: a.rs, b.rs", id="two missing"
        ),
        pytest.param("{{#include ../../../etc/passwd}}", "outside the book", id="outside"),
        pytest.param("{{#include on.md}}", "which includes itself", id="itself"),
        pytest.param("{{#include circle.md}}", "which includes itself", id="in a circle"),
    ],
)
def test_an_include_that_cannot_be_filled_in_is_named(tmp_path: Path, body: str, warning: str) -> None:
    _book(tmp_path, **{"src/on.md": f"{TEXT}\n{body}\n", "src/circle.md": "Round {{#include on.md}}\n"})

    lesson = lessons_of(tmp_path)[3]

    assert warning in " ".join(lesson.warnings)
    assert TEXT.strip() in lesson.text


def test_lines_hidden_from_readers_are_left_out(tmp_path: Path) -> None:
    _book(tmp_path, **{"src/on.md": "See:\n\n```rust\n# fn main() {\nlet x = 1;\n# }\n#[derive(Debug)]\n```\n"})

    assert "```rust\nlet x = 1;\n#[derive(Debug)]\n```" in lessons_of(tmp_path)[3].text


def test_other_plug_ins_marks_are_left_out(tmp_path: Path) -> None:
    _book(
        tmp_path, **{"src/on.md": f"{TEXT}\n{{{{#quiz ../quizzes/one.toml}}}}\n\nIt shows \\{{{{#include x}}}}.\n"}
    )

    text = lessons_of(tmp_path)[3].text

    assert "quiz" not in text
    assert "It shows {{#include x}}." in text

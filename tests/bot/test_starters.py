"""First questions from a book's own headings."""

import pytest

from bot.starters import starter_questions
from core.store.library import LessonEntry


def _lesson(title: str, *sections: str) -> LessonEntry:
    return LessonEntry(
        parent_id="",
        title=title,
        module="m",
        chapter=1,
        lesson=1,
        slug="",
        source_file="",
        url="",
        breadcrumb="",
        chunk_count=1,
        sections=sections,
    )


@pytest.mark.parametrize(
    ("sections", "question"),
    [
        pytest.param(("Overview", "What is a topic?"), "What is a topic?", id="asks already"),
        pytest.param(("Why do nodes crash",), "Why do nodes crash?", id="asks without its sign"),
        pytest.param(("What QoS is",), "What is QoS?", id="nearly asks"),
        pytest.param(("What a bridge does",), "What does a bridge do?", id="nearly asks what it does"),
        pytest.param(
            ("Which one should I use?", "Message types"),
            "What does the book say about message types?",
            id="asks what only its page can tell",
        ),
        pytest.param(
            ("Is the filter honest?", "Message types"),
            "What does the book say about message types?",
            id="asks in passing",
        ),
        pytest.param(("Message types",), "What does the book say about message types?", id="a topic"),
        pytest.param(("ROS 2 packages",), "What does the book say about ROS 2 packages?", id="a name"),
        pytest.param(
            ("How the course is organised",),
            "What does the book say about how the course is organised?",
            id="only looks like a question",
        ),
        pytest.param(
            ("Summary", "Exercises"), "What does the book say about quality of service?", id="says nothing"
        ),
    ],
)
def test_a_heading_becomes_a_question(sections: tuple[str, ...], question: str) -> None:
    assert starter_questions([_lesson("Quality of service", *sections)]) == [question]


def test_questions_are_spread_over_the_book_and_those_that_ask_come_first() -> None:
    outline = [_lesson(f"Lesson {number}", f"What is rule {number}?") for number in range(8)]

    assert starter_questions(outline, limit=2) == ["What is rule 0?", "What is rule 4?"]
    assert starter_questions([_lesson("Some title"), *outline[:1]])[0] == "What is rule 0?"


def test_a_book_without_lessons_has_none() -> None:
    assert starter_questions([]) == []

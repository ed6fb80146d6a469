import pytest

from core.ingestion.lesson import LessonPlace
from core.ingestion.readers.numbering import module_slug, natural_key, number_prefix, place_of_path, readable


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("module-1-ros2/chapter-2-topics/03-services.md", LessonPlace("ros2", 2, 3)),
        ("module-1-ros2/chapter-2-topics/README.md", LessonPlace("ros2", 2, None)),
        ("module-1-ros2/README.md", LessonPlace("ros2", None, None)),
        ("part-1-lab/chapter-01-bodies.mdx", LessonPlace("lab", 1, None)),
        ("module-1-ros2/week-3-lesson-2-nodes.md", LessonPlace("ros2", 3, 2)),
        ("chapter-28-parliament/02-part.md", LessonPlace(None, 28, 2)),
        ("01-basics/02-types/03-strings.md", LessonPlace("basics", 2, 3)),
        ("ch04-02-borrowing.md", LessonPlace(None, 4, None)),
        ("guide/intro.md", LessonPlace("guide", None, None)),
        ("preface.md", LessonPlace(None, None, None)),
        ("notes/2024-05-01-news.md", LessonPlace("notes", None, None)),
    ],
    ids=str,
)
def test_a_path_says_where_a_lesson_stands(path: str, expected: LessonPlace) -> None:
    assert place_of_path(path) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("module-1-ros2", "ros2"),
        ("Module 3: Isaac Sim", "isaac-sim"),
        ("02_digital_twin", "digital-twin"),
        ("part-2", "part-2"),
        ("Überblick", "überblick"),
        ("...", "main"),
    ],
)
def test_a_module_is_called_by_its_own_word(name: str, expected: str) -> None:
    assert module_slug(name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("01-intro", (1, "intro")),
        ("1. Intro", (1, "Intro")),
        ("2024-05-01-news", (None, "2024-05-01-news")),
        ("7.0-release", (None, "7.0-release")),
        ("3d-vision", (None, "3d-vision")),
        ("intro", (None, "intro")),
    ],
)
def test_a_leading_number_is_told_from_dates_and_versions(name: str, expected: tuple[int | None, str]) -> None:
    assert number_prefix(name) == expected


def test_names_sort_as_people_count() -> None:
    names = ["chapter-10", "chapter-2", "Chapter-1", "appendix"]

    assert sorted(names, key=natural_key) == ["appendix", "Chapter-1", "chapter-2", "chapter-10"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("01-first_steps", "First steps"),
        ("part-2-motion", "Part 2: Motion"),
        ("chapter-3", "Chapter 3"),
        ("x", "X"),
    ],
)
def test_a_name_makes_a_title(name: str, expected: str) -> None:
    assert readable(name) == expected

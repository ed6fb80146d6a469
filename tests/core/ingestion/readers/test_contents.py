import pytest

from core.ingestion.readers.contents import chapter_number, places
from tests.core.ingestion.making import blocks_of


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("3. Motion", 3),
        ("Chapter 3", 3),
        ("Chapter XIV", 14),
        ("IV.", 4),
        ("3 Motion", 3),
        ("3.2 Arms", 3),
        ("Motion", None),
        ("1984", 1984),
        ("3D vision", None),
        ("Vision", None),
    ],
)
def test_a_title_may_carry_its_chapters_number(title: str, expected: int | None) -> None:
    assert chapter_number(title) == expected


def _places(*paths: tuple[str, ...]) -> list[tuple[str | None, int | None]]:
    return [(place.module, place.chapter) for place in places(paths, [()] * len(paths))]


def test_numbered_chapters_keep_their_numbers_and_the_rest_is_chapter_0() -> None:
    assert _places(("Preface",), ("1. One",), ("1. One", "1.1 In it"), ("2. Two",), ("Index",)) == [
        (None, 0),
        (None, 1),
        (None, 1),
        (None, 2),
        (None, 0),
    ]


def test_chapters_without_numbers_are_counted() -> None:
    assert _places(("Sensing",), ("Sensing", "Lidar"), ("Moving",)) == [(None, 1), (None, 1), (None, 2)]


def test_a_part_is_a_module() -> None:
    assert _places(("Part II: Motion",), ("Part II: Motion", "Chapter 5")) == [
        ("part-ii-motion", 0),
        ("part-ii-motion", 5),
    ]


def test_a_chapters_number_may_be_known_by_its_sections_only() -> None:
    contents = [blocks_of((1, "Sensing"), (2, "4.1 Lidar")), blocks_of((1, "Thanks"))]

    assert [place.chapter for place in places([("Sensing",), ("Thanks",)], contents)] == [4, 0]

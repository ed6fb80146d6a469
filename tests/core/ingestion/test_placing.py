import pytest

from core.ingestion.lesson import LessonPlace
from core.ingestion.placing import Placing
from core.model import Layer, Level, Place
from tests.core.ingestion.making import a_lesson


def _places(*said: LessonPlace, taken: tuple[Place, ...] = ()) -> list[tuple[str, int, int]]:
    placing = Placing("book", taken=taken)
    found = [placing.place(a_lesson(place=place)).place for place in said]
    return [(place.module, place.chapter, place.lesson) for place in found]


def test_a_lesson_gets_the_place_it_says() -> None:
    assert _places(LessonPlace(module="ros2", chapter=3, lesson=2)) == [("ros2", 3, 2)]


def test_lessons_that_say_nothing_are_counted_in_reading_order() -> None:
    assert _places(*[LessonPlace()] * 3) == [("main", 0, 0), ("main", 0, 1), ("main", 0, 2)]


def test_a_clash_moves_the_later_lesson_and_says_so() -> None:
    placing = Placing("book")
    first, second = (placing.place(a_lesson(place=LessonPlace("ros2", 1, 1))) for _ in range(2))

    assert (first.place.lesson, second.place.lesson) == (1, 2)
    assert first.warnings == ()
    assert second.warnings == ("Chapter 1 of ros2 already has a lesson 1; this one is placed as lesson 2.",)


def test_places_of_files_that_stay_are_not_given_away() -> None:
    taken = (Place("book", "main", 0, 0), Place("book", "main", 0, 1))

    assert _places(LessonPlace(), taken=taken) == [("main", 0, 2)]


def test_a_lesson_read_again_keeps_its_number_whatever_comes_before_it() -> None:
    placing = Placing("book", held={"old.md": [Place("book", "main", 0, 0)]})
    lessons = [a_lesson(source_file=file, place=LessonPlace()) for file in ("new.md", "old.md", "newer.md")]

    numbers = [placing.place(lesson).place.lesson for lesson in lessons]

    assert numbers == [1, 0, 2]


def test_a_number_that_is_said_goes_before_one_that_was_held() -> None:
    placing = Placing("book", held={"old.md": [Place("book", "main", 0, 0)]})

    says = placing.place(a_lesson(source_file="new.md", place=LessonPlace(lesson=0)))
    held = placing.place(a_lesson(source_file="old.md", place=LessonPlace()))

    assert (says.place.lesson, says.warnings, held.place.lesson) == (0, (), 1)


@pytest.mark.parametrize(
    ("said", "expected", "has_warning"),
    [
        pytest.param(LessonPlace(), (1, Level.A2, Layer.L1), False, id="defaults"),
        pytest.param(
            LessonPlace(tier=3, level="b1", layer="l2"), (3, Level.B1, Layer.L2), False, id="small letters"
        ),
        pytest.param(LessonPlace(level="A2-B1"), (1, Level.A2, Layer.L1), True, id="a range of levels"),
        pytest.param(LessonPlace(tier=9), (4, Level.A2, Layer.L1), True, id="a tier beyond the last"),
        pytest.param(LessonPlace(tier=0), (1, Level.A2, Layer.L1), True, id="a tier below the first"),
        pytest.param(LessonPlace(level="expert"), (1, Level.A2, Layer.L1), True, id="an unknown level"),
        pytest.param(LessonPlace(layer="3"), (1, Level.A2, Layer.L3), False, id="a layer's number"),
        pytest.param(LessonPlace(layer="deep"), (1, Level.A2, Layer.L1), True, id="an unknown layer"),
    ],
)
def test_what_a_lesson_is_for(said: LessonPlace, expected: tuple[int, Level, Layer], has_warning: bool) -> None:
    placed = Placing("book").place(a_lesson(place=said))

    assert (placed.place.tier, placed.place.level, placed.place.layer) == expected
    assert bool(placed.warnings) == has_warning

"""Gives each lesson its place in the book: what it says, else what follows from the order, and never one twice."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from core.ingestion.lesson import Lesson, LessonPlace
from core.model import Layer, Level, Place
from core.model.limits import MAX_TIER, MIN_TIER

DEFAULT_MODULE = "main"
MAX_NUMBER = 1_000_000


@dataclass(frozen=True, slots=True)
class Placed:
    """A lesson's place, and one sentence for each thing that had to be assumed."""

    place: Place
    warnings: tuple[str, ...] = ()


class Placing:
    """Places the lessons of one book, in reading order.

    *taken* are the places of files that stay as they are. *held* are those of files that are read again: a lesson
    that does not say its number keeps the one it had, so that its chunks keep their ids whatever happens
    around it.
    """

    def __init__(
        self, book: str, *, taken: Iterable[Place] = (), held: Mapping[str, Sequence[Place]] | None = None
    ) -> None:
        self._book = book
        self._lessons: dict[tuple[str, int], set[int]] = defaultdict(set)
        self._held: dict[tuple[str, int], set[int]] = defaultdict(set)
        self._former = {file: list(places) for file, places in (held or {}).items()}
        self._free_from: dict[tuple[str, int], int] = defaultdict(int)
        for place in taken:
            self._lessons[place.module, place.chapter].add(place.lesson)
        for place in chain.from_iterable(self._former.values()):
            self._held[place.module, place.chapter].add(place.lesson)

    def place(self, lesson: Lesson) -> Placed:
        """A place of its own for *lesson*, the one it asks for unless that is taken."""
        said = lesson.place
        warnings: list[str] = []
        module, chapter = said.module or DEFAULT_MODULE, _number(said.chapter)
        number, sentence = self._former_lesson(lesson, module, chapter), None
        if number is None:
            number, sentence = self._free_lesson(module, chapter, said.lesson)
        tier, level, layer = _tier(said, warnings), _level(said, warnings), _layer(said, warnings)
        place = Place(self._book, module, chapter, number, tier, level, layer)
        return Placed(place, (*((sentence,) if sentence else ()), *warnings))

    def keep(self, places: Iterable[Place]) -> None:
        """Give these places to nobody: what is there could not be read again and stays."""
        for place in places:
            self._lessons[place.module, place.chapter].add(place.lesson)

    def moved(self, placed: Placed) -> Placed:
        """Another place for a lesson whose place is kept."""
        place = placed.place
        number, sentence = self._free_lesson(place.module, place.chapter, place.lesson)
        warnings = (sentence, *placed.warnings) if sentence else placed.warnings
        return Placed(replace(place, lesson=number), warnings)

    def _former_lesson(self, lesson: Lesson, module: str, chapter: int) -> int | None:
        """The number this file's next lesson had in the chapter, unless it says one or cannot have it again."""
        former = self._former.get(lesson.source_file, [])
        match = next((place for place in former if (place.module, place.chapter) == (module, chapter)), None)
        if match is None:
            return None
        former.remove(match)
        if lesson.place.lesson is not None or match.lesson in self._lessons[module, chapter]:
            return None
        self._lessons[module, chapter].add(match.lesson)
        return match.lesson

    def _free_lesson(self, module: str, chapter: int, said: int | None) -> tuple[int, str | None]:
        taken = self._lessons[module, chapter]
        wanted = _number(said)
        # Where nothing is said, the search goes on from where it last ended.
        number = wanted if said is not None else self._free_from[module, chapter]
        # What is said goes before what another lesson had without saying so.
        held = self._held[module, chapter] if said is None else frozenset[int]()
        while number in taken or number in held:
            number += 1
        taken.add(number)
        if said is None:
            self._free_from[module, chapter] = number + 1
            return number, None
        if number == wanted:
            return number, None
        where = f"Chapter {chapter} of {module}"
        return number, f"{where} already has a lesson {wanted}; this one is placed as lesson {number}."


def _number(said: int | None) -> int:
    return min(said, MAX_NUMBER) if said is not None and said >= 0 else 0


def _tier(said: LessonPlace, warnings: list[str]) -> int:
    if said.tier is None:
        return MIN_TIER
    tier = min(max(said.tier, MIN_TIER), MAX_TIER)
    if tier != said.tier:
        warnings.append(f"Hardware tier {said.tier} is not one of {MIN_TIER} to {MAX_TIER}; {tier} is used.")
    return tier


def _level(said: LessonPlace, warnings: list[str]) -> Level:
    if said.level is None:
        return Level.A2
    # A range such as "A2-B1" is met at its lower end.
    found = next((level for level in Level if said.level.strip().upper().startswith(level)), None)
    level = found or Level.A2
    if said.level.strip().upper() != level:
        warnings.append(f"Proficiency level {said.level[:40]!r} is read as {level}.")
    return level


def _layer(said: LessonPlace, warnings: list[str]) -> Layer:
    if said.layer is None:
        return Layer.L1
    found = next(
        (layer for layer in Layer if layer in said.layer.upper() or said.layer.strip() == layer[1:]), None
    )
    if found is None:
        warnings.append(f"Layer {said.layer[:40]!r} is not one of L1 to L4; L1 is used.")
    return found or Layer.L1

"""What the index keeps beside the vectors, and our filters in its terms. Shared by both engines."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import TypeVar

from core.model import Filters
from core.ports import IndexEntry, IndexHit, Vector

TENANT = "book_id"
KEYWORDS = ("module", "proficiency_level", "layer", "parent_doc_id")
INTEGERS = ("chapter", "lesson", "hardware_tier")
"""With the tenant, every field a filter can name; each has an index of its own."""

WORDS = "words"
"""The sparse vector that holds a chunk's words."""

SPACE_PREFIX = "dense-"

Scalar = str | int
Item = TypeVar("Item")


class Test(StrEnum):
    """How a field is compared; the last two by the engines' own names."""

    EQUALS = "equals"
    ANY_OF = "any_of"
    AT_LEAST = "gte"
    AT_MOST = "lte"


@dataclass(frozen=True, slots=True)
class Condition:
    """One thing that must hold; the conditions of a filter must all hold."""

    field: str
    test: Test
    value: Scalar | tuple[str, ...]

    def holds_for(self, found: Scalar) -> bool:
        """Whether a field that holds *found* fulfils it."""
        if isinstance(self.value, tuple):
            return found in self.value
        if isinstance(found, str) or isinstance(self.value, str) or self.test is Test.EQUALS:
            return found == self.value
        return found >= self.value if self.test is Test.AT_LEAST else found <= self.value


def to_payload(entry: IndexEntry) -> dict[str, Scalar]:
    """An entry's fields under the contract's names."""
    place = entry.place
    return {
        TENANT: place.book,
        "module": place.module,
        "chapter": place.chapter,
        "lesson": place.lesson,
        "hardware_tier": place.tier,
        "proficiency_level": str(place.level),
        "layer": str(place.layer),
        "parent_doc_id": entry.parent_id,
        "content_hash": entry.content_hash,
        "source_file": entry.source_file,
        "source_file_hash": entry.source_file_hash,
    }


def to_conditions(filters: Filters) -> list[Condition]:
    """Every filter that was given, the books first."""
    asked = (
        (TENANT, Test.ANY_OF, filters.books),
        ("module", Test.EQUALS, filters.module),
        ("chapter", Test.AT_LEAST, filters.chapter_min),
        ("chapter", Test.AT_MOST, filters.chapter_max),
        ("lesson", Test.EQUALS, filters.lesson),
        ("hardware_tier", Test.AT_MOST, filters.tier),
        ("proficiency_level", Test.ANY_OF, tuple(str(level) for level in filters.levels)),
        ("layer", Test.EQUALS, str(filters.layer) if filters.layer else None),
        ("parent_doc_id", Test.EQUALS, filters.parent_id),
    )
    return [_condition(field, test, value) for field, test, value in asked if value is not None and value != ()]


def book_conditions(books: Sequence[str]) -> list[Condition]:
    """The books alone, in which the rarity of words is counted."""
    if not books:
        raise ValueError("a search names the books it may look into")
    return [_condition(TENANT, Test.ANY_OF, tuple(books))]


def space_name(model: str, dimension: int) -> str:
    """The name of a model's dense vectors; it becomes part of file names and addresses."""
    return f"{SPACE_PREFIX}{re.sub(r'[^a-z0-9]+', '-', model.lower()).strip('-')}-{dimension}"


def to_numbers(vector: Vector) -> list[float]:
    """A vector as the engines take it."""
    numbers: list[float] = vector.tolist()
    return numbers


def best_first(hits: list[IndexHit]) -> list[IndexHit]:
    """By score; equal scores by id, which the engines would order each in its own way."""
    return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))


def in_batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Some of *items* at a time, in order."""
    following = iter(items)
    while batch := list(islice(following, size)):
        yield batch


def _condition(field: str, test: Test, value: Scalar | tuple[str, ...]) -> Condition:
    # Any of one value is that value, which the engines look up a third faster.
    if isinstance(value, tuple) and len(value) == 1:
        return Condition(field, Test.EQUALS, value[0])
    return Condition(field, test, value)

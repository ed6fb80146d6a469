"""Filters by place are one condition for the embedded engine, and let the same entries through as before."""

from pathlib import Path

import pytest
import qdrant_edge as qdrant

from core.model import Filters, Level, Place
from core.retrieval.index.edge import open_edge_index
from core.retrieval.index.payload import to_conditions
from core.retrieval.index.places import FIELDS, MOST_PLACES, Places, place_key
from tests.core.retrieval.index.conftest import DIMENSION, direction, entry

FIRST = Place("b", module="ros", chapter=1, tier=1, level=Level.A1)
SECOND = Place("b", module="ros", chapter=2, tier=3, level=Level.B1)
OTHER = Place("c", module="ai", chapter=2, tier=1, level=Level.A1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "index"


@pytest.mark.parametrize(
    ("filters", "passing"),
    [
        pytest.param(Filters(books=("b", "c")), None, id="everything passes"),
        pytest.param(Filters(books=("b",)), {FIRST, SECOND}, id="a book"),
        pytest.param(Filters(books=("b", "c"), module="ai"), {OTHER}, id="a module"),
        pytest.param(Filters(books=("b", "c"), chapter_min=2), {SECOND, OTHER}, id="from a chapter on"),
        pytest.param(Filters(books=("b",), chapter_min=1, chapter_max=1), {FIRST}, id="one chapter"),
        pytest.param(Filters(books=("b", "c"), tier=1), {FIRST, OTHER}, id="up to a tier"),
        pytest.param(Filters(books=("b",), levels=(Level.B1, Level.B2)), {SECOND}, id="any of some levels"),
        pytest.param(Filters(books=("b",), tier=1, chapter_min=2), set(), id="nothing passes"),
    ],
)
def test_the_places_that_pass_are_told(filters: Filters, passing: set[Place] | None) -> None:
    places = Places(place_key(each) for each in (FIRST, SECOND, OTHER))
    conditions = [each for each in to_conditions(filters) if each.field in FIELDS]

    found = places.passing(conditions)

    assert found == (
        None if passing is None else tuple(place_key(each) for each in (FIRST, SECOND, OTHER) if each in passing)
    )


def test_a_place_that_comes_later_passes_too() -> None:
    places = Places([place_key(FIRST), place_key(OTHER)])
    conditions = to_conditions(Filters(books=("b",)))
    assert places.passing(conditions) == (place_key(FIRST),)

    places.add([SECOND])

    assert places.passing(conditions) == (place_key(FIRST), place_key(SECOND))


async def test_an_index_whose_entries_do_not_say_their_places_is_filtered_all_the_same(folder: Path) -> None:
    one, two = entry("one", vector=direction(1), chapter=1), entry("two", vector=direction(1), chapter=2)
    index = await open_edge_index(folder, model="letters", dimension=DIMENSION)
    await index.put([one, two])
    await index.close()
    shard = qdrant.EdgeShard.load(str(folder))
    shard.update(qdrant.UpdateOperation.delete_payload([one.chunk_id, two.chunk_id], ["place"]))
    shard.flush()
    shard.close()

    index = await open_edge_index(folder, model="letters", dimension=DIMENSION)
    hits = await index.search_dense(direction(1), Filters(books=("b",), chapter_min=2), limit=5)
    await index.close()

    assert [hit.chunk_id for hit in hits] == [two.chunk_id]


async def test_an_index_with_very_many_places_is_filtered_all_the_same(folder: Path) -> None:
    entries = [entry("one", f"word{n % 2}", chapter=n) for n in range(MOST_PLACES + 2)]
    index = await open_edge_index(folder, model="letters", dimension=DIMENSION)
    await index.put([entry("last", vector=direction(1), chapter=MOST_PLACES + 5)])
    await index.put(entries)

    hits = await index.search_dense(direction(1), Filters(books=("b",), chapter_min=MOST_PLACES + 5), limit=5)
    none = await index.search_dense(direction(1), Filters(books=("b",), chapter_max=5), limit=5)
    await index.close()

    assert (len(hits), none) == (1, [])


async def test_places_are_known_again_after_reopening(folder: Path) -> None:
    one, two = entry("one", vector=direction(1), chapter=1), entry("two", vector=direction(1), chapter=2)
    index = await open_edge_index(folder, model="letters", dimension=DIMENSION)
    await index.put([one, two])
    await index.close()

    index = await open_edge_index(folder, model="letters", dimension=DIMENSION)
    hits = await index.search_dense(direction(1), Filters(books=("b",), chapter_max=1), limit=5)
    nothing = await index.search_dense(direction(1), Filters(books=("b",), chapter_min=3, tier=1), limit=5)
    await index.close()

    assert [hit.chunk_id for hit in hits] == [one.chunk_id]
    assert nothing == []

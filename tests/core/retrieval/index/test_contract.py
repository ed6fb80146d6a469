"""What every index does, embedded or on a server."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from core.model import Filters, Layer, Level
from core.ports import Index, IndexEntry, IndexHit
from core.retrieval.words import to_sparse
from tests.core.retrieval.index.conftest import DIMENSION, direction, entry, even

pytestmark = pytest.mark.asyncio(loop_scope="module")

BOOK = Filters(books=("b",))


def ids(found: Sequence[IndexHit | IndexEntry]) -> list[str]:
    return [each.chunk_id for each in found]


async def test_the_nearest_by_meaning_come_first_with_their_cosine(index: Index) -> None:
    near, far = entry("near", vector=direction(1, 0.1)), entry("far", vector=direction(0, 1))
    await index.put([far, near])

    hits = await index.search_dense(direction(1), BOOK, limit=5)

    assert ids(hits) == ids([near, far])
    assert hits[0].score == pytest.approx(1 / math.hypot(1, 0.1), abs=1e-5)


async def test_the_best_by_words_come_first_with_their_bm25(index: Index) -> None:
    rare, common = entry("one", "gripper robot"), entry("two", "robot")
    await index.put([rare, common, entry("three", "sensor")])

    hits = await index.search_words(to_sparse([("gripper", 1.0), ("robot", 1.0)]), BOOK, limit=5)

    assert ids(hits) == ids([rare, common])
    assert hits[1].score == pytest.approx(math.log(1 + (3 - 2 + 0.5) / (2 + 0.5)), abs=1e-5)
    assert hits[0].score == pytest.approx(hits[1].score + math.log(1 + (3 - 1 + 0.5) / (1 + 0.5)), abs=1e-5)


async def test_another_book_never_shifts_a_score(index: Index) -> None:
    await index.put([entry("one", "gripper robot"), entry("two", "robot")])
    query = to_sparse([("robot", 1.0)])
    alone = await index.search_words(query, BOOK, limit=5)

    await index.put([entry(f"other{n}", "robot", book="other") for n in range(10)])

    assert await index.search_words(query, BOOK, limit=5) == alone


async def test_equal_scores_are_ordered_by_id(index: Index) -> None:
    twins = [entry(f"twin{n}", "robot", direction(1)) for n in range(6)]
    await index.put(twins)

    by_words = await index.search_words(to_sparse([("robot", 1.0)]), BOOK, limit=6)
    by_meaning = await index.search_dense(direction(1), BOOK, limit=6)

    assert ids(by_words) == ids(by_meaning) == sorted(ids(twins))


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        pytest.param(Filters(books=("b",)), {"plain", "late", "hard", "deep", "other-module"}, id="book"),
        pytest.param(
            Filters(books=("b", "c")), {"plain", "late", "hard", "deep", "other-module", "c"}, id="books"
        ),
        pytest.param(Filters(books=("b",), module="vla"), {"other-module"}, id="module"),
        pytest.param(Filters(books=("b",), chapter_min=2), {"late"}, id="chapter from"),
        pytest.param(Filters(books=("b",), chapter_max=0), {"other-module"}, id="chapter up to"),
        pytest.param(Filters(books=("b",), chapter_min=1, chapter_max=1), {"plain", "hard", "deep"}, id="range"),
        pytest.param(Filters(books=("b",), lesson=7), {"late"}, id="lesson"),
        pytest.param(Filters(books=("b",), tier=1), {"plain", "late", "deep", "other-module"}, id="tier at most"),
        pytest.param(
            Filters(books=("b",), tier=3), {"plain", "late", "hard", "deep", "other-module"}, id="tier 3"
        ),
        pytest.param(Filters(books=("b",), levels=(Level.B1, Level.C2)), {"hard", "deep"}, id="any level"),
        pytest.param(Filters(books=("b",), layer=Layer.L4), {"deep"}, id="layer"),
        pytest.param(Filters(books=("b",), levels=(Level.B1,), tier=1), set(), id="all must hold"),
        pytest.param(Filters(books=("nobody's",)), set(), id="unknown book"),
    ],
)
async def test_only_what_passes_every_filter_is_found(index: Index, filters: Filters, expected: set[str]) -> None:
    entries = [
        entry("plain", "robot", direction(1), chapter=1),
        entry("late", "robot", direction(1), chapter=2, lesson=7),
        entry("hard", "robot", direction(1), chapter=1, tier=3, level=Level.B1),
        entry("deep", "robot", direction(1), chapter=1, level=Level.C2, layer=Layer.L4),
        entry("other-module", "robot", direction(1), module="vla"),
        entry("c", "robot", direction(1), book="c", chapter=9),
    ]
    await index.put(entries)
    names = {each.chunk_id: each.content_hash for each in entries}

    by_meaning = await index.search_dense(direction(1), filters, limit=20)
    by_words = await index.search_words(to_sparse([("robot", 1.0)]), filters, limit=20)

    assert {names[hit.chunk_id] for hit in by_meaning} == expected
    assert {names[hit.chunk_id] for hit in by_words} == expected
    assert await index.count(filters) == len(expected)


async def test_the_chunks_of_one_lesson_can_be_asked_for(index: Index) -> None:
    here, there = entry("here", "robot", lesson=1), entry("there", "robot", lesson=2)
    await index.put([here, there])

    hits = await index.search_words(
        to_sparse([("robot", 1.0)]), Filters(books=("b",), parent_id=there.parent_id), limit=5
    )

    assert ids(hits) == [there.chunk_id]


async def test_a_search_without_a_book_is_refused(index: Index) -> None:
    with pytest.raises(ValueError, match="books"):
        await index.search_words(to_sparse([("robot", 1.0)]), Filters(), limit=5)
    with pytest.raises(ValueError, match="books"):
        await index.search_dense(direction(1), Filters(module="vla"), limit=5)


async def test_no_more_than_the_limit_is_found(index: Index) -> None:
    await index.put([entry(f"e{n}", "robot", direction(1, n)) for n in range(9)])

    assert len(await index.search_dense(direction(1), BOOK, limit=4)) == 4
    assert len(await index.search_words(to_sparse([("robot", 1.0)]), BOOK, limit=4)) == 4


async def test_a_query_without_words_finds_nothing(index: Index) -> None:
    await index.put([entry("one", "robot")])

    assert await index.search_words(to_sparse([]), BOOK, limit=5) == []
    assert await index.score_words(to_sparse([]), ids([entry("one")]), books=("b",)) == {}


async def test_an_entry_is_found_by_words_before_it_has_an_embedding(index: Index) -> None:
    words_only, whole = entry("one", "robot"), entry("two", "robot", direction(0, 1))
    await index.put([words_only, whole])
    assert ids(await index.search_dense(direction(1), BOOK, limit=5)) == [whole.chunk_id]

    await index.put_embeddings({words_only.chunk_id: direction(1)})

    assert ids(await index.search_dense(direction(1), BOOK, limit=5)) == ids([words_only, whole])
    assert len(await index.search_words(to_sparse([("robot", 1.0)]), BOOK, limit=5)) == 2


async def test_embeddings_for_entries_that_are_gone_are_ignored(index: Index) -> None:
    gone, kept = entry("gone", "robot"), entry("kept", "robot")
    await index.put([kept])

    await index.put_embeddings({gone.chunk_id: direction(1), kept.chunk_id: direction(1)})

    assert await index.count(BOOK) == 1
    assert set(await index.embeddings(ids([gone, kept]))) == {kept.chunk_id}


async def test_putting_again_replaces(index: Index) -> None:
    await index.put([entry("one", "robot", direction(1))])
    changed = entry("one", "sensor", direction(0, 1))

    await index.put([changed])

    assert await index.count(BOOK) == 1
    assert await index.search_words(to_sparse([("robot", 1.0)]), BOOK, limit=5) == []
    [hit] = await index.search_dense(direction(0, 1), BOOK, limit=5)
    assert hit.score == pytest.approx(1.0, abs=1e-5)


async def test_chosen_chunks_are_scored_as_a_search_would(index: Index) -> None:
    entries = [entry(f"e{n}", f"robot word{n}", direction(1, n)) for n in range(5)]
    await index.put([*entries, entry("unembedded", "sensor")])
    query, words = direction(1, 2), to_sparse([("robot", 1.0), ("word3", 1.0)])
    wanted = [entries[1].chunk_id, entries[3].chunk_id, entry("unembedded").chunk_id, entry("unknown").chunk_id]

    dense = await index.score_dense(query, wanted)
    by_words = await index.score_words(words, wanted, books=("b",))

    searched = {hit.chunk_id: hit.score for hit in await index.search_dense(query, BOOK, limit=9)}
    found = {hit.chunk_id: hit.score for hit in await index.search_words(words, BOOK, limit=9)}
    assert dense == pytest.approx({chunk: searched[chunk] for chunk in wanted[:2]})
    assert by_words == pytest.approx({chunk: found[chunk] for chunk in wanted[:2]})
    assert await index.score_dense(query, []) == {}


async def test_stored_vectors_come_back(index: Index) -> None:
    one = entry("one", vector=direction(3, 4))
    await index.put([one])

    found = await index.embeddings([one.chunk_id])

    np.testing.assert_allclose(found[one.chunk_id], direction(3, 4), atol=1e-6)


async def test_deleted_entries_are_gone_and_unknown_ones_ignored(index: Index) -> None:
    one, two = entry("one", "robot", direction(1)), entry("two", "robot", direction(1))
    await index.put([one, two])

    await index.delete([one.chunk_id, entry("unknown").chunk_id])

    assert ids(await index.search_dense(direction(1), BOOK, limit=5)) == [two.chunk_id]
    assert ids(await index.search_words(to_sparse([("robot", 1.0)]), BOOK, limit=5)) == [two.chunk_id]


async def test_a_book_is_deleted_alone(index: Index) -> None:
    other = entry("other", book="c")
    await index.put([entry("one"), entry("two"), other])

    await index.delete_book("b")

    assert await index.count(Filters()) == 1
    assert await index.chunk_ids("b") == []
    assert await index.chunk_ids("c") == [other.chunk_id]


async def test_all_ids_of_a_large_book_are_told(index: Index) -> None:
    entries = [entry(f"e{n}", chapter=n) for n in range(2100)]
    await index.put(entries)

    found = await index.chunk_ids("b")

    assert len(found) == 2100
    assert set(found) == set(ids(entries))


async def test_models_keep_their_vectors_apart(index: Index) -> None:
    one = entry("one", "robot", direction(1))
    await index.put([one])

    other = await index.in_space("another/model v2", DIMENSION * 2)
    await other.put_embeddings({one.chunk_id: even(DIMENSION * 2)})

    [hit] = await other.search_dense(even(DIMENSION * 2), BOOK, limit=5)
    assert hit.score == pytest.approx(1.0, abs=1e-5)
    assert ids(await index.search_dense(direction(1), BOOK, limit=5)) == [one.chunk_id]
    assert len(await other.search_words(to_sparse([("robot", 1.0)]), BOOK, limit=5)) == 1


async def test_only_the_spaces_that_are_kept_stay(index: Index) -> None:
    one = entry("one", "robot", direction(1))
    await index.put([one])
    kept, other = await index.in_space("kept", 4), await index.in_space("other", 4)
    await kept.put_embeddings({one.chunk_id: even(4)})
    await other.put_embeddings({one.chunk_id: even(4)})

    await index.keep_spaces([("kept", 4)])

    assert set(await index.embeddings([one.chunk_id])) == {one.chunk_id}
    assert set(await kept.embeddings([one.chunk_id])) == {one.chunk_id}
    again = await index.in_space("other", 4)
    assert await again.embeddings([one.chunk_id]) == {}

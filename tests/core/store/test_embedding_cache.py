"""No text is embedded twice by the same model."""

import numpy as np

from core.store.database import Database
from core.store.embedding_cache import EmbeddingCache


async def test_vectors_come_back_for_their_model_alone(database: Database) -> None:
    cache = EmbeddingCache(database)
    vector = np.array([0.25, -1.0, 3.5], dtype=np.float32)

    await cache.put("bge", {"hash": vector})

    found = await cache.get("bge", ["hash", "unknown"])
    assert list(found) == ["hash"]
    assert found["hash"].dtype == np.float32
    assert np.array_equal(found["hash"], vector)
    assert await cache.get("other", ["hash"]) == {}


async def test_newer_vector_takes_the_place_of_the_older(database: Database) -> None:
    cache = EmbeddingCache(database)

    await cache.put("bge", {"hash": np.zeros(2, dtype=np.float32)})
    await cache.put("bge", {"hash": np.ones(2, dtype=np.float32)})

    assert (await cache.get("bge", ["hash"]))["hash"].tolist() == [1.0, 1.0]


async def test_the_oldest_go_where_there_are_more_than_passages_and_a_margin(database: Database) -> None:
    cache = EmbeddingCache(database)
    for number in range(5):
        await cache.put("bge", {f"hash{number}": np.zeros(2, dtype=np.float32)})

    await cache.trim(kept_beyond=3)

    assert sorted(await cache.get("bge", [f"hash{number}" for number in range(5)])) == ["hash2", "hash3", "hash4"]

"""The embedded model finds meaning, repeatably, and without holding anyone up."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from time import perf_counter

import numpy as np
import pytest

from core.errors import SettingsError
from core.ports import Embedder
from core.retrieval.embedders import OnnxEmbedder
from core.retrieval.local_models.weights import FolderCarrier

pytestmark = pytest.mark.models

PASSAGES = (
    "A node publishes messages to a topic, and every subscriber of that topic receives them.",
    "The gripper closes until its force sensor reports five newtons.",
    "Photosynthesis turns light into chemical energy in the leaves of plants.",
)
LONG_PASSAGE = "The simulator steps the physics of every link and joint a thousand times each second. " * 8


def test_it_is_an_embedder(embedder: OnnxEmbedder) -> None:
    port: Embedder = embedder

    assert (port.model, port.dimension) == ("bge-small-en-v1.5-int8", 384)


@pytest.mark.parametrize(
    ("question", "nearest"),
    [
        pytest.param("How do parts of a robot program send each other data?", 0, id="publishing"),
        pytest.param("When does the robot hand stop squeezing?", 1, id="gripping"),
        pytest.param("Where do trees get their fuel from?", 2, id="plants"),
    ],
)
async def test_the_nearest_passage_is_the_one_about_it(
    embedder: OnnxEmbedder, question: str, nearest: int
) -> None:
    passages = await embedder.embed_chunks(PASSAGES)

    query = await embedder.embed_query(question)

    assert int(np.argmax([query @ passage for passage in passages])) == nearest


async def test_vectors_have_length_one_and_the_declared_dimension(embedder: OnnxEmbedder) -> None:
    for vector in await embedder.embed_chunks(["", "robot", PASSAGES[0], "机器人 🤖"]):
        assert vector.shape == (embedder.dimension,)
        assert vector.dtype == np.float32
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


async def test_a_text_has_the_same_vector_alone_and_among_others(embedder: OnnxEmbedder) -> None:
    among_others = await embedder.embed_chunks([LONG_PASSAGE, *PASSAGES, "short"])

    alone = [(await embedder.embed_chunks([passage]))[0] for passage in PASSAGES]

    assert np.array_equal(alone, among_others[1:4])


async def test_a_query_is_embedded_otherwise_than_a_chunk(embedder: OnnxEmbedder) -> None:
    chunk = (await embedder.embed_chunks(["robot arm"]))[0]

    assert not np.allclose(await embedder.embed_query("robot arm"), chunk, atol=1e-3)


async def test_only_the_first_510_tokens_count(embedder: OnnxEmbedder) -> None:
    within = "robot " * 510

    same, cut = await embedder.embed_chunks([within, within + "photosynthesis " * 50])

    assert np.array_equal(same, cut)


async def test_no_texts_give_no_vectors(embedder: OnnxEmbedder) -> None:
    assert await embedder.embed_chunks([]) == []


async def test_the_event_loop_keeps_ticking_while_chunks_are_embedded(embedder: OnnxEmbedder) -> None:
    await embedder.load()

    # The best of many: a busy machine may stop any process for a moment, a blocked loop stalls every time,
    # and at least for as long as one passage takes.
    shares: list[float] = []
    while min(shares, default=1.0) >= 0.7 and len(shares) < 20:
        shares.append(await _stall_in_passages(embedder))

    assert min(shares) < 0.7


async def test_a_query_does_not_wait_for_a_whole_book(embedder: OnnxEmbedder) -> None:
    book = asyncio.create_task(embedder.embed_chunks([LONG_PASSAGE] * 200))
    await asyncio.sleep(0)

    await embedder.embed_query("Who waits?")

    assert not book.done()
    book.cancel()
    with pytest.raises(asyncio.CancelledError):
        await book


async def test_missing_weights_are_reported_with_what_to_do(tmp_path: Path) -> None:
    embedder = OnnxEmbedder(carrier=FolderCarrier(tmp_path))

    with pytest.raises(SettingsError, match="Copy the weight files"):
        await embedder.load()
    await embedder.close()


async def _stall_in_passages(embedder: OnnxEmbedder, count: int = 20) -> float:
    """The longest stall, measured in the time that one passage takes."""
    started = perf_counter()
    stall = await _longest_stall_seconds(embedder.embed_chunks([LONG_PASSAGE] * count))
    return stall / ((perf_counter() - started) / count)


async def _longest_stall_seconds(work: Coroutine[object, object, object]) -> float:
    """How long the event loop was at most kept from its next tick while *work* was done."""
    loop = asyncio.get_running_loop()
    task = asyncio.create_task(work)
    longest = 0.0
    while not task.done():
        before = loop.time()
        await asyncio.sleep(0)
        longest = max(longest, loop.time() - before)
    await task
    return longest

"""The static embedder finds the words, fast, and says what to install when it cannot."""

import asyncio
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from core.errors import SettingsError
from core.ports import Embedder
from core.retrieval.embedders import StaticEmbedder
from core.retrieval.embedders.static_table import TOKENIZER, StaticTable
from core.retrieval.local_models.weights import WORDLLAMA, FolderCarrier, checked

pytestmark = pytest.mark.models

PASSAGES = (
    "A node publishes messages to a topic, and every subscriber of that topic receives them.",
    "The gripper closes until its force sensor reports five newtons.",
    "Photosynthesis turns light into chemical energy in the leaves of plants.",
)


@pytest.fixture(scope="module")
def table() -> StaticTable:
    return StaticTable(WORDLLAMA)


@pytest.fixture(scope="module")
def reference() -> Tokenizer:
    return Tokenizer.from_file(str(checked(TOKENIZER, WORDLLAMA)))


def test_it_is_an_embedder(static_embedder: StaticEmbedder) -> None:
    port: Embedder = static_embedder

    assert (port.model, port.dimension) == ("wordllama-l2-supercat-256", 256)


@pytest.mark.parametrize(
    ("question", "nearest"),
    [
        pytest.param("Which messages does a subscriber receive?", 0, id="publishing"),
        pytest.param("How much force does the gripper use?", 1, id="gripping"),
        pytest.param("How do plants use light?", 2, id="plants"),
    ],
)
async def test_the_nearest_passage_is_the_one_about_it(
    static_embedder: StaticEmbedder, question: str, nearest: int
) -> None:
    passages = await static_embedder.embed_chunks(PASSAGES)

    query = await static_embedder.embed_query(question)

    assert int(np.argmax([query @ passage for passage in passages])) == nearest


async def test_many_texts_keep_their_order_and_their_vectors(static_embedder: StaticEmbedder) -> None:
    texts = [f"{PASSAGES[i % 3]} Step {i}." for i in range(100)]

    together = await static_embedder.embed_chunks(texts)

    alone = [(await static_embedder.embed_chunks([text]))[0] for text in texts]
    assert np.array_equal(together, alone)


async def test_vectors_have_length_one_and_the_declared_dimension(static_embedder: StaticEmbedder) -> None:
    for vector in await static_embedder.embed_chunks(["", " ", "robot", "机器人 🤖\x00"]):
        assert vector.shape == (static_embedder.dimension,)
        assert vector.dtype == np.float32
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


@given(text=st.one_of(st.text(), st.text(st.sampled_from("abcdeé ▁\n\t.,'<s>/")), st.sampled_from(PASSAGES)))
@settings(max_examples=200, deadline=None)
def test_words_cut_on_their_own_have_the_ids_of_the_whole(
    table: StaticTable, reference: Tokenizer, text: str
) -> None:
    # The reference takes a typed "<s>" or "</s>" for a marker; here it is text.
    if "<" not in text:
        assert table.ids(text) == reference.encode(text, add_special_tokens=False).ids


async def test_cancelling_a_large_library_leaves_the_thread_free(static_embedder: StaticEmbedder) -> None:
    library = asyncio.create_task(static_embedder.embed_chunks([PASSAGES[0] * 20] * 100_000))
    await asyncio.sleep(0)

    await static_embedder.embed_query("Who waits?")

    assert not library.done()
    library.cancel()
    with pytest.raises(asyncio.CancelledError):
        await library


async def test_missing_weights_are_reported_with_what_to_do(tmp_path: Path) -> None:
    embedder = StaticEmbedder(carrier=FolderCarrier(tmp_path))

    with pytest.raises(SettingsError, match="Copy the weight files"):
        await embedder.load()
    await embedder.close()


def test_without_the_extra_the_command_that_installs_it_is_named() -> None:
    # A process of its own, in which the optional packages cannot be found.
    program = (
        "import sys; sys.modules['tokenizers'] = None\n"
        "import asyncio; from core.errors import SettingsError\n"
        "from core.retrieval.embedders import StaticEmbedder\n"
        "try: asyncio.run(StaticEmbedder().load())\n"
        "except SettingsError as error: sys.stdout.write(error.message)\n"
    )

    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert said.endswith("(tokenizers is missing). Install it with: pip install 'footnote[static]'")

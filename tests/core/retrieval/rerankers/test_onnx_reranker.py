"""The embedded reranker knows an answer from a neighbour of one."""

import asyncio
from pathlib import Path

import pytest

from core.errors import SettingsError
from core.ports import Reranker
from core.retrieval.local_models.weights import FolderCarrier
from core.retrieval.rerankers import OnnxReranker

pytestmark = pytest.mark.models

QUESTION = "How many joints does the robot arm have?"
ANSWER = "The arm of the robot has six joints, each driven by its own motor."
SENTENCES = (
    "The robot arm is painted orange so that people notice it.",
    ANSWER,
    "Joints wear out and should be inspected every month.",
    "Bread is baked at two hundred degrees.",
)


def test_it_is_a_reranker(reranker: OnnxReranker) -> None:
    port: Reranker = reranker

    assert port.model == "ms-marco-MiniLM-L-12-v2-int8"


async def test_the_sentence_that_answers_comes_first_and_the_foreign_one_last(reranker: OnnxReranker) -> None:
    scores = await reranker.score(QUESTION, SENTENCES)

    assert max(scores) == scores[1] > 0
    assert min(scores) == scores[3] < -5


async def test_a_sentence_has_the_same_score_alone_and_among_others(reranker: OnnxReranker) -> None:
    among_others = await reranker.score(QUESTION, SENTENCES)

    alone = [(await reranker.score(QUESTION, [sentence]))[0] for sentence in SENTENCES]

    assert alone == among_others


@pytest.mark.parametrize(
    ("question", "text"),
    [
        pytest.param("", "", id="nothing at all"),
        pytest.param(QUESTION, "", id="no text"),
        pytest.param("why " * 600, ANSWER, id="a question without end"),
        pytest.param(QUESTION, "word " * 2000, id="a text without end"),
        pytest.param("why " * 600, "word " * 2000, id="both without end"),
    ],
)
async def test_any_length_has_a_score(reranker: OnnxReranker, question: str, text: str) -> None:
    (score,) = await reranker.score(question, [text])

    assert -15 < score < 15


async def test_a_question_without_end_leaves_room_for_the_text(reranker: OnnxReranker) -> None:
    long_question = QUESTION + " please" * 600

    answer, foreign = await reranker.score(long_question, [ANSWER, SENTENCES[3]])

    assert answer > foreign + 2


async def test_no_texts_give_no_scores(reranker: OnnxReranker) -> None:
    assert await reranker.score(QUESTION, []) == []


async def test_members_who_ask_together_get_their_own_scores(reranker: OnnxReranker) -> None:
    questions = (QUESTION, "How hot must the oven be for bread?")

    robot, bread = await asyncio.gather(*(reranker.score(question, SENTENCES) for question in questions))

    assert robot.index(max(robot)) == 1
    assert bread.index(max(bread)) == 3


async def test_missing_weights_are_reported_with_what_to_do(tmp_path: Path) -> None:
    reranker = OnnxReranker(carrier=FolderCarrier(tmp_path))

    with pytest.raises(SettingsError, match="Copy the weight files"):
        await reranker.load()
    await reranker.close()

"""Models asked once for each text: what they said before is what is heard again."""

from pathlib import Path

import numpy as np

from core.evaluation.remembering import FILE, RememberingEmbedder, RememberingReranker, open_memory
from tests.fakes.letters_embedder import LettersEmbedder
from tests.fakes.words_reranker import WordsReranker

QUESTION = "Which nodes publish messages?"
TEXTS = ["Some nodes publish.", "A robot walks."]


async def test_a_text_is_read_once_and_scored_the_same_in_a_later_run(tmp_path: Path) -> None:
    first, later = WordsReranker(), WordsReranker()
    with open_memory(tmp_path) as memory:
        heard = await RememberingReranker(first, memory).score(QUESTION, TEXTS)

    with open_memory(tmp_path) as memory:
        again = await RememberingReranker(later, memory).score(QUESTION, TEXTS[::-1])

    assert heard == await WordsReranker().score(QUESTION, TEXTS)
    assert again == heard[::-1]
    assert later.asked == []


async def test_another_question_or_text_is_asked_for(tmp_path: Path) -> None:
    reranker = WordsReranker()
    with open_memory(tmp_path) as memory:
        remembering = RememberingReranker(reranker, memory)
        await remembering.score(QUESTION, TEXTS[:1])
        await remembering.score(QUESTION, TEXTS)
        await remembering.score("What is a robot?", TEXTS)

    assert reranker.asked == [QUESTION, QUESTION, "What is a robot?"]


async def test_a_query_has_the_same_vector_when_the_embedder_is_away(tmp_path: Path) -> None:
    embedder = LettersEmbedder()
    expected = await embedder.embed_query(QUESTION)
    with open_memory(tmp_path) as memory:
        await RememberingEmbedder(embedder, memory).embed_query(QUESTION)
    embedder.is_down = True

    with open_memory(tmp_path) as memory:
        heard = await RememberingEmbedder(embedder, memory).embed_query(QUESTION)

    assert np.array_equal(heard, expected)


async def test_half_a_line_of_a_killed_run_is_left_out(tmp_path: Path) -> None:
    with open_memory(tmp_path) as memory:
        heard = await RememberingReranker(WordsReranker(), memory).score(QUESTION, TEXTS)
    with (tmp_path / FILE).open("a", encoding="utf-8") as lines:
        lines.write('\n["cut')
    with open_memory(tmp_path) as memory:
        await RememberingReranker(WordsReranker(), memory).score("What is a robot?", TEXTS)

    reranker = WordsReranker()
    with open_memory(tmp_path) as memory:
        again = await RememberingReranker(reranker, memory).score(QUESTION, TEXTS)

    assert again == heard
    assert reranker.asked == []

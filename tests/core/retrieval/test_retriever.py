"""What members ask is found: by words, by place, in a conversation, about a text."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from core.model import Filters, Turn
from core.model.answer import REFUSAL
from tests.core.retrieval.shelf import Shelf, make_task, open_shelf

BOOKS = Filters(books=("robots",))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shelf(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Shelf]:
    async with open_shelf(tmp_path_factory.mktemp("shelf")) as opened:
        yield opened


pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_the_chunk_that_answers_comes_first_with_its_sentence(shelf: Shelf) -> None:
    found = await shelf.retriever.search("What is a topic channel?", BOOKS, limit=5)

    assert found.chunks[0].chunk.text.startswith("A topic is a named channel.")
    assert found.chunks[0].best_sentence == "A topic is a named channel."
    assert all(0 <= each.score <= 1 for each in found.chunks)


async def test_the_same_text_twice_is_found_once(shelf: Shelf) -> None:
    found = await shelf.retriever.search("Which physics does Gazebo simulate?", BOOKS, limit=20)

    texts = [each.chunk.text for each in found.chunks]
    assert len(texts) == len(set(texts)) == found.total_found == 7


async def test_every_passage_read_closely_stands_in_a_chunk_that_was_found(shelf: Shelf) -> None:
    found = await shelf.retriever.search("What does a node do?", BOOKS, limit=2)

    texts = {each.chunk.id: each.chunk.text for each in found.chunks}
    assert found.sentences
    assert all(texts[each.chunk_id][each.start : each.end].strip() for each in found.sentences)


async def test_what_the_book_says_about_itself_is_not_the_best_answer(shelf: Shelf) -> None:
    found = await shelf.retriever.search("Do nodes start topics with messages?", BOOKS, limit=5)

    assert found.sentences[0].chunk_id == shelf.chunk("A node is").id


@pytest.mark.parametrize(
    ("question", "place"),
    [
        pytest.param("What is said about steps in chapter 2?", ("gazebo", 2), id="chapter"),
        pytest.param("In lesson 1.2, what is a rotation?", ("ros2", 1), id="lesson"),
        pytest.param("What does the Gazebo module say about nodes?", ("gazebo", 2), id="module by name"),
        pytest.param("What is a node in module 2?", ("gazebo", 2), id="module by number"),
    ],
)
async def test_a_named_place_narrows_the_search(shelf: Shelf, question: str, place: tuple[str, int]) -> None:
    found = await shelf.retriever.find(make_task(question))

    assert {(each.chunk.place.module, each.chunk.place.chapter) for each in found.chunks} == {place}


async def test_a_place_that_the_book_does_not_have_narrows_nothing(shelf: Shelf) -> None:
    found = await shelf.retriever.find(make_task("What is a node in chapter 99?"))

    assert shelf.chunk("A node is").id in [each.chunk.id for each in found.chunks]


@pytest.mark.parametrize(
    ("question", "beginning"),
    [
        pytest.param("What does a quaterion describe?", "A quaternion", id="a slip"),
        pytest.param("What does an IMU measure?", "An inertial", id="an acronym"),
    ],
)
async def test_slips_and_acronyms_are_understood(shelf: Shelf, question: str, beginning: str) -> None:
    found = await shelf.retriever.find(make_task(question))

    assert found.chunks[0].chunk.text.startswith(beginning)


async def test_a_follow_up_is_searched_with_its_topic(shelf: Shelf) -> None:
    found = await shelf.retriever.find(make_task("And who reads from it?", Turn("What is a topic?", "A channel.")))

    assert found.chunks[0].chunk.text.startswith("A topic is")
    assert "topic" in found.query


async def test_a_question_that_stands_alone_leaves_the_last_topic(shelf: Shelf) -> None:
    found = await shelf.retriever.find(make_task("What is a quaternion?", Turn("What is a topic?", "A channel.")))

    assert found.query == "What is a quaternion?"


async def test_what_was_refused_is_no_topic(shelf: Shelf) -> None:
    refused = Turn("Who won the world cup?", f"{REFUSAL}.")

    found = await shelf.retriever.find(make_task("And why?", Turn("What is a topic?", "A channel."), refused))

    assert found.query == "What is a topic? And why?"


async def test_what_was_just_cited_is_close_at_hand(shelf: Shelf) -> None:
    cited = shelf.chunk("A quaternion").id

    found = await shelf.retriever.find(
        make_task("Why?", Turn("How are turns written?", "By four numbers.", (cited,)))
    )

    assert cited in [each.chunk.id for each in found.chunks]


async def test_a_selected_passage_of_the_book_is_found_again(shelf: Shelf) -> None:
    selected = "It never jumps. A quaternion describes a rotation by four numbers."

    found = await shelf.retriever.find(make_task("Is this right?", selected=selected))

    assert found.chunks[0].chunk.id == shelf.chunk("A quaternion").id


async def test_another_book_is_never_read(shelf: Shelf, tmp_path: Path) -> None:
    cited = shelf.chunk("A quaternion").id
    async with open_shelf(tmp_path, book="other") as other:
        found = await other.retriever.find(make_task("Why?", Turn("q", "a", (cited,)), books=("other",)))

    assert {each.chunk.place.book for each in found.chunks} == {"other"}


async def test_a_question_about_something_else_has_next_to_no_chance(shelf: Shelf) -> None:
    known = await shelf.retriever.find(make_task("What does a quaternion describe?"))
    unknown = await shelf.retriever.find(make_task("Who won the football championship?"))

    assert unknown.answerability < 0.3 < known.answerability


async def test_a_subject_that_is_no_word_of_the_book_halves_the_chance(shelf: Shelf) -> None:
    unknown = await shelf.retriever.find(make_task("What is a TSDF?"))
    slip = await shelf.retriever.find(make_task("What is a quaterion?"))

    assert unknown.signals["is_unknown"] == 1.0
    assert slip.signals["is_unknown"] == 0.0


async def test_scores_fall_with_the_order_and_a_threshold_cuts_them(shelf: Shelf) -> None:
    found = await shelf.retriever.search("What is a topic channel?", BOOKS, limit=20)
    scores = [each.score for each in found.chunks]
    task = make_task("What is a topic channel?")
    strict = replace(task, question=replace(task.question, similarity_threshold=scores[2]))

    kept = (await shelf.retriever.find(strict)).chunks

    assert scores == sorted(scores, reverse=True)
    assert kept
    assert all(each.score >= scores[2] for each in kept)
    assert len(kept) < len(found.chunks)


async def test_a_verb_that_the_book_does_not_use_is_no_reason_to_refuse(shelf: Shelf) -> None:
    found = await shelf.retriever.find(make_task("How do nodes communicate over topics?"))

    assert found.signals["is_unknown"] == 0.0


@pytest.mark.parametrize(
    ("scope", "limit", "is_everything"),
    [
        pytest.param(BOOKS, 20, True, id="the whole book, a text that stands there twice found once"),
        pytest.param(BOOKS, 7, True, id="as many as there are"),
        pytest.param(BOOKS, 6, False, id="one was left out"),
        pytest.param(replace(BOOKS, lesson=1, chapter_min=1, chapter_max=1), 5, True, id="a whole lesson"),
        pytest.param(replace(BOOKS, lesson=1, chapter_min=1, chapter_max=1), 1, False, id="half a lesson"),
    ],
)
async def test_a_search_knows_whether_it_brought_all_there_is(
    shelf: Shelf, scope: Filters, limit: int, is_everything: bool
) -> None:
    found = await shelf.retriever.search("What does a node do?", scope, limit=limit)

    assert found.is_everything is is_everything


async def test_what_a_threshold_leaves_out_is_not_everything(shelf: Shelf) -> None:
    lesson = replace(BOOKS, lesson=1, chapter_min=1, chapter_max=1)
    found = await shelf.retriever.search("What does a node do?", lesson, limit=5)
    best, second = (each.score for each in found.chunks)

    assert found.above(second).is_everything
    assert not found.above((best + second) / 2).is_everything


async def test_code_options_and_emphasis_of_a_question_are_nothing_the_book_must_have(shelf: Shelf) -> None:
    bare = await shelf.retriever.find(make_task("What does a quaternion describe not?"))
    quiz = await shelf.retriever.find(
        make_task(
            "Consider (1) this program:\n```\nlet Zebra = 17;\n```\n"
            "What does a quaternion describe NOT?\n\nOptions:\nA) Xylophones\nB) 42 Yaks"
        )
    )

    doubts = (
        "covered",
        "unknown_share",
        "missing_word",
        "missing_names",
        "missing_numbers",
        "is_negated",
    )
    assert [quiz.signals[each] for each in doubts] == [bare.signals[each] for each in doubts]

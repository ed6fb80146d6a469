"""Which chunk stands where: first what answers, then what else the question is about."""

from dataclasses import replace

from core.model import Chunk
from core.retrieval.candidates import Candidate
from core.retrieval.ordering import ordered
from core.retrieval.passages import Passage, PassageKind
from core.retrieval.reading import ReadPassage
from tests.core.answering.making import make_found


def make_candidates(*fused: tuple[str, float]) -> list[Candidate]:
    """Candidates of these lessons, with their scores before anyone has read them."""
    found = make_found([f"Passage number {number}." for number in range(len(fused))])
    chunks: list[Chunk] = [each.chunk for each in found]
    return [
        Candidate(replace(chunk, parent_id=lesson), score, None, None)
        for chunk, (lesson, score) in zip(chunks, fused, strict=True)
    ]


def read(candidate: Candidate, rerank: float) -> ReadPassage:
    return ReadPassage(candidate, Passage(0, 5, PassageKind.SENTENCE), 1.0, rerank)


def test_the_first_place_is_for_the_passage_that_answers() -> None:
    lone, *often = make_candidates(("lone", 1.0), ("often", 2.0), ("often", 2.0), ("often", 2.0))

    order = ordered([*often, lone], [read(lone, 8.0), *(read(each, 0.0) for each in often)], limit=2)

    assert order == [lone, often[0]]


def test_of_two_that_surely_answer_the_better_one_comes_first() -> None:
    found_more_often, better = make_candidates(("a", 2.0), ("b", 1.5))

    order = ordered([found_more_often, better], [read(found_more_often, 8.0), read(better, 9.0)], limit=2)

    assert order == [better, found_more_often]


def test_without_a_reranker_the_first_place_is_for_what_covers_the_question() -> None:
    found_more_often, covering = make_candidates(("a", 2.0), ("b", 1.5))
    sentence = Passage(0, 5, PassageKind.SENTENCE)
    passages = [ReadPassage(found_more_often, sentence, 0.4, None), ReadPassage(covering, sentence, 1.0, None)]

    assert ordered([found_more_often, covering], passages, limit=1) == [covering]


def test_the_places_behind_are_for_the_lesson_that_is_found_often() -> None:
    first, lone, *often = make_candidates(("first", 6.0), ("lone", 1.6), ("often", 1.5), ("often", 1.5))

    order = ordered([first, lone, *often], [], limit=2)

    assert order == [first, often[0]]


def test_a_lesson_does_not_crowd_out_all_others() -> None:
    candidates = make_candidates(("a", 4.0), ("a", 3.0), ("a", 3.0), ("b", 2.2))

    order = ordered(candidates, [], limit=3)

    assert [each.chunk.parent_id for each in order] == ["a", "a", "b"]


def test_nothing_found_has_no_order() -> None:
    assert ordered([], [], limit=5) == []

"""What the coefficients in calibration.json promise."""

import json

import pytest

from core.retrieval.calibration import FILE, Logistic, load_calibration

STORED = json.loads(FILE.read_text(encoding="utf-8"))
SURE = {
    "rerank": 8.0,
    "rerank_promise": 0.98,
    "rerank_doubt": 0.0,
    "cosine": 0.85,
    "best_cosine": 0.85,
    "covered": 1.0,
    "unknown_share": 0.0,
    "is_unknown": 0.0,
    "missing_word": 0.0,
    "missing_names": 0.0,
    "missing_numbers": 0.0,
    "is_negated": 0.0,
    "length": 0.0,
}
HOPELESS = {
    **SURE,
    "rerank": -10.0,
    "rerank_promise": 0.01,
    "rerank_doubt": -10.0,
    "cosine": 0.45,
    "best_cosine": 0.4,
    "covered": 0.1,
    "unknown_share": 0.5,
    "missing_word": 6.0,
    "missing_names": 2.0,
}
MODELS = [
    pytest.param(STORED["embedder"], STORED["reranker"], id="both known"),
    pytest.param(STORED["embedder"], None, id="no reranker"),
    pytest.param("another-embedder", STORED["reranker"], id="another embedder"),
    pytest.param("another-embedder", "another-reranker", id="both others"),
]


@pytest.mark.parametrize(("embedder", "reranker"), MODELS)
def test_a_sure_answer_is_shown_and_a_hopeless_one_refused(embedder: str, reranker: str | None) -> None:
    calibration = load_calibration(embedder=embedder, reranker=reranker)

    assert calibration.answerability(SURE) >= 0.75
    assert calibration.answerability(HOPELESS) < 0.6


@pytest.mark.parametrize(
    "signal", ["is_negated", "missing_names", "missing_numbers", "missing_word", "is_unknown"]
)
def test_every_doubt_lowers_the_chance(signal: str) -> None:
    calibration = load_calibration(embedder=STORED["embedder"], reranker=STORED["reranker"])

    assert calibration.answerability({**SURE, signal: 1.0}) < calibration.answerability(SURE)


def test_cosines_of_another_embedder_mean_nothing() -> None:
    calibration = load_calibration(embedder="another-embedder", reranker=STORED["reranker"])

    assert calibration.answerability({**SURE, "cosine": 0.2, "best_cosine": 0.2}) == calibration.answerability(
        SURE
    )


def test_a_chance_never_overflows() -> None:
    assert Logistic(0.0, {"x": 1e9}).chance({"x": 1.0}) == pytest.approx(1.0)
    assert Logistic(0.0, {"x": -1e9}).chance({"x": 1.0}) == pytest.approx(0.0)


def test_once_a_book_is_surely_about_it_only_the_passage_counts() -> None:
    calibration = load_calibration(embedder=STORED["embedder"], reranker=STORED["reranker"])

    assert calibration.answerability({**SURE, "cosine": 0.8}) == calibration.answerability(SURE)
    assert calibration.answerability({**SURE, "best_cosine": 0.8}) < calibration.answerability(SURE)

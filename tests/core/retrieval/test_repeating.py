"""What says again what a better passage says makes room for others."""

import pytest

from core.model import Chunk
from core.retrieval.repeating import LOSS, repeats_behind
from tests.core.model.making import make_chunk

TABLE = "| sensor | rate |\n| camera | 30 |\n| lidar | 10 |\n| imu | 200 |"


def _order(*texts: str) -> list[str]:
    """The texts as they stand behind one another, each a quarter less good than the one before."""
    chunks: list[Chunk] = [make_chunk(text) for text in texts]
    scores = {chunk.id: -number / 4 for number, chunk in enumerate(chunks)}
    return [chunk.text for chunk, _ in repeats_behind(chunks, scores)]


@pytest.mark.parametrize(
    "again",
    [
        pytest.param(f"In the next lesson:\n{TABLE}", id="a table with another beginning"),
        pytest.param(f"{TABLE}\nMore follows.", id="with another end"),
    ],
)
def test_what_is_said_again_stands_behind_what_is_new(again: str) -> None:
    assert _order(TABLE, again, "A camera sees colours.") == [TABLE, "A camera sees colours.", again]


@pytest.mark.parametrize(
    "other",
    [
        pytest.param("| sensor | rate |\n| sonar | 40 |\n| radar | 20 |\n| gps | 1 |", id="the same head alone"),
        pytest.param("The lidar of the next lesson turns.\n| lidar | 10 |", id="one line"),
    ],
)
def test_what_shares_a_little_stays_where_it_is(other: str) -> None:
    assert _order(TABLE, other, "A camera sees colours.") == [TABLE, other, "A camera sees colours."]


def test_sentences_cut_in_other_places_are_the_same_sentences() -> None:
    first = "A node has one job. It talks over topics. It may be restarted."
    again = "It talks over topics. It may be restarted. So it is small."

    assert _order(first, again, "A camera sees colours.")[-1] == again


def test_a_repeat_that_is_much_better_than_the_rest_still_comes_before_it() -> None:
    first, again, rest = (make_chunk(text) for text in (TABLE, f"{TABLE}\nAnd so on.", "A camera sees colours."))
    scores = {first.id: 4.0, again.id: 3.5, rest.id: 3.4 - LOSS}

    assert [chunk.id for chunk, _ in repeats_behind([first, again, rest], scores)] == [first.id, again.id, rest.id]

"""Marks are read however a model writes them, and code keeps its brackets."""

import pytest

from core.answering.verifying.claims import to_claims, with_plain_marks


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        pytest.param("A fact [1, 2].", "A fact [1][2].", id="list"),
        pytest.param("A fact [1-3].", "A fact [1][2][3].", id="range"),
        pytest.param("A fact 【4†source】.", "A fact [4].", id="lenticular"),
        pytest.param("A fact [^2].", "A fact [2].", id="footnote"),
        pytest.param("A fact [passage 3].", "A fact [3].", id="word"),
        pytest.param("A fact (source 3).", "A fact [3].", id="parentheses"),
        pytest.param("A fact [1 and 2].", "A fact [1][2].", id="and"),
        pytest.param("A fact. [1] Another.[2][3]", "A fact [1]. Another [2][3].", id="behind-the-stop"),
        pytest.param("Cars etc. [1] are fine.", "Cars etc. [1] are fine.", id="no-stop"),
        pytest.param("Take `x[1, 2]` and `y[^3]` [1].", "Take `x[1, 2]` and `y[^3]` [1].", id="code-span"),
        pytest.param("```\na[1, 2]\n```", "```\na[1, 2]\n```", id="code-block"),
        pytest.param("See [1](https://a.example).", "See [1](https://a.example).", id="link"),
    ],
)
def test_marks_of_any_form_become_plain(written: str, plain: str) -> None:
    assert with_plain_marks(written) == plain


def test_each_sentence_has_its_own_marks() -> None:
    claims = to_claims("One thing [1]. Another [2][3]. A third. Then `x[4]` is code [5].")

    assert [claim.marks for claim in claims] == [(1,), (2, 3), (), (5,)]
    assert claims[0].text == "One thing."

"""Marks are found where they are marks, and nowhere else."""

import pytest

from core.answering.marks import marks, renumbered, without_marks


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        pytest.param("A node is a process [2].", [2], id="at the end of a sentence"),
        pytest.param("One [1][3] and two [1].", [1, 3, 1], id="several"),
        pytest.param("Use `a[1]` here [2].", [2], id="not in inline code"),
        pytest.param("```python\nx = a[1]\n```\nSo [4].", [4], id="not in a code block"),
        pytest.param("~~~\na[1]", [], id="not in a code block that never ends"),
        pytest.param("See [1](https://example.org).", [], id="not a link"),
        pytest.param("In [2024] and [n].", [], id="not a year, not a letter"),
    ],
)
def test_marks_are_numbers_in_brackets_outside_of_code(text: str, numbers: list[int]) -> None:
    assert [mark.number for mark in marks(text)] == numbers


def test_renumbering_keeps_everything_else() -> None:
    text = "Twice [7] and `a[7]` and never [9]."

    assert renumbered(text, {7: 1}.get) == "Twice [1] and `a[7]` and never."


def test_taking_marks_out_takes_their_blank_too() -> None:
    assert without_marks("A node [1]. A topic [2][3].") == "A node. A topic."

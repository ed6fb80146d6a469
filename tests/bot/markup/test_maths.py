"""Formulas as a person reads them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.markup.maths import readable


@pytest.mark.parametrize(
    ("latex", "shown"),
    [
        (r"\frac{1}{2}", "1/2"),
        (r"\frac{a+b}{c}", "(a+b)/c"),
        (r"\sqrt[3]{x+1}", "³√(x+1)"),
        (r"x_{i+1} = x_i - \eta \nabla f", "xᵢ₊₁ = xᵢ - η ∇ f"),
        (r"e^{-\lambda t}", "e^(-λ t)"),
        (r"\mathbb{R}^n", "ℝⁿ"),
        (r"\left( a \right)", "( a )"),
        (r"\hat{y}", "y\u0302"),
        (r"\text{loss} \to 0", "loss → 0"),
        (r"\begin{matrix} a & b \\ c & d \end{matrix}", "a b \n c d"),
        (r"\unknown{x}", "unknownx"),
        (r"\frac{1", "1/"),
        ("a}b{c", "abc"),
    ],
)
def test_a_formula_is_readable(latex: str, shown: str) -> None:
    assert readable(latex) == shown


@given(st.text(alphabet="\\{}^_&[]$ abfrcsqt123\n", max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_formula_can_be_shown(latex: str) -> None:
    assert isinstance(readable(latex), str)


@pytest.mark.parametrize("latex", ["^" * 5000, "{" * 5000, r"\sqrt" * 5000], ids=["raised", "groups", "roots"])
def test_a_formula_without_end_is_shown_too(latex: str) -> None:
    assert readable(latex)

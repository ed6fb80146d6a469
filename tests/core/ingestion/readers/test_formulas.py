import pytest

from core.ingestion.lesson import BlockKind
from core.ingestion.readers.markdown import markdown_blocks


def _text(body: str) -> str:
    return "".join(block.text for block in markdown_blocks(body, is_mdx=True)).strip()


@pytest.mark.parametrize(
    "text",
    [
        "The chance $P[X](t)$ grows.",
        "Where $a<b$ and $c>d$ hold.",
        "Where \\(P[X](t) <b and y>\\) holds.",
        "Where \\\\(P[X](t)\\\\) holds.",
        "So $$P[X](t)$$ holds.",
        "- the chance $P[X](t)$\n- and $$\n  Q[X](t)\n  $$",
        "Where $f`[a](b)`$ stands.",
    ],
)
def test_the_signs_of_a_formula_are_not_markup(text: str) -> None:
    assert _text(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("From $5, see [the list](u), to $10.", "From $5, see the list, to $10."),
        ("It is $5-[ten](u)$10 each.", "It is $5-ten$10 each."),
        ("Set $HOME and [then](u) $PATH.", "Set $HOME and then $PATH."),
        ("An escaped \\$ and [a link](u)\\$.", "An escaped \\$ and a link\\$."),
    ],
)
def test_a_price_does_not_open_a_formula(text: str, expected: str) -> None:
    assert _text(text) == expected


@pytest.mark.parametrize(
    "formula",
    [
        "$$\nF\n=\nm a\n$$",
        "$$\na = b\n- c\n$$",
        "$$\na\n\n- b\n$$",
        "$$ a\n= b $$",
        "$$\na\n=\nb\n$$ (1)",
        "\\[\na = b\n+ c\n\\]",
        "\\\\[\na\n=\n[X](t)\n\\\\]",
    ],
)
def test_a_formula_on_several_lines_is_one_block(formula: str) -> None:
    blocks = markdown_blocks(f"# Forces\n\nThey add up:\n{formula}\nSo it is.\n", is_mdx=False)

    assert [(block.kind, block.heading) for block in blocks[1:]] == [
        (BlockKind.PARAGRAPH, ("Forces",)),
        (BlockKind.FORMULA, ("Forces",)),
        (BlockKind.PARAGRAPH, ("Forces",)),
    ]
    assert blocks[2].text == f"{formula}\n\n"


@pytest.mark.parametrize("opening", ["$$", "$$ moderate", "$$$", "\\["])
def test_a_formula_that_never_ends_is_text(opening: str) -> None:
    blocks = markdown_blocks(f"{opening}\n\n## Parts\n\nWords.\n\n$$\nx\n$$\n", is_mdx=False)

    assert [(block.kind, block.heading) for block in blocks[-2:]] == [
        (BlockKind.PARAGRAPH, ("Parts",)),
        (BlockKind.FORMULA, ("Parts",)),
    ]

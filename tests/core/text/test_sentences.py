from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.sentences import SpanKind, sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "Dr. Smith met Mr. Jones. They spoke.", ["Dr. Smith met Mr. Jones.", "They spoke."], id="titles"
        ),
        pytest.param("It costs 3.5 dollars. Fine.", ["It costs 3.5 dollars.", "Fine."], id="numbers"),
        pytest.param("See e.g. Fig. 3 for it. Next.", ["See e.g. Fig. 3 for it.", "Next."], id="abbreviations"),
        pytest.param(
            "He left the U.S. The city.", ["He left the U.S.", "The city."], id="an abbreviation at the end"
        ),
        pytest.param("He left the U.S. Army. Now.", ["He left the U.S. Army.", "Now."], id="and in the middle"),
        pytest.param("J. Doe wrote it. Read on.", ["J. Doe wrote it.", "Read on."], id="initials"),
        pytest.param('He said "Stop." Then left.', ['He said "Stop."', "Then left."], id="closing quotes"),
        pytest.param("What? Yes! No... Maybe.", ["What?", "Yes!", "No...", "Maybe."], id="other stops"),
        pytest.param(
            "A claim [1]. Another [2], [3]. Third.", ["A claim [1].", "Another [2], [3].", "Third."], id="marks"
        ),
        pytest.param("v1.2.3 is out. Use x.y now.", ["v1.2.3 is out.", "Use x.y now."], id="versions"),
        pytest.param("これは本です。次の文。", ["これは本です。", "次の文。"], id="Japanese"),
        pytest.param("it is small. it goes on.", ["it is small.", "it goes on."], id="no capitals"),
        pytest.param("One line\ngoes on. Two.", ["One line\ngoes on.", "Two."], id="lines of one paragraph"),
        pytest.param("No stop\n\nNext one", ["No stop", "Next one"], id="paragraphs"),
        pytest.param("- one item\n- another one", ["- one item", "- another one"], id="items"),
    ],
)
def test_prose_is_cut_into_its_sentences(text: str, expected: list[str]) -> None:
    assert [span.of(text) for span in sentences(text)] == expected


def test_code_tables_and_headings_are_units_of_their_own() -> None:
    text = "# Head\n\nSay it. \n\n```\na. b. C.\n```\n\n| a. | B. |\n| - | - |\n"

    assert [(span.kind, span.of(text)) for span in sentences(text)] == [
        (SpanKind.HEADING, "# Head"),
        (SpanKind.PROSE, "Say it."),
        (SpanKind.CODE, "```\na. b. C.\n```"),
        (SpanKind.TABLE, "| a. | B. |\n| - | - |"),
    ]


@given(st.text(alphabet="aAbB.!? \n-#|`>[]1…。\"'", max_size=300))
def test_every_word_is_in_exactly_one_sentence(text: str) -> None:
    spans = sentences(text)

    assert all(one.end <= other.start for one, other in pairwise(spans))
    between = [text[one.end : other.start] for one, other in pairwise(spans)]
    outside = "".join(between) + (text[: spans[0].start] + text[spans[-1].end :] if spans else text)
    assert not outside.strip("> \n\t")

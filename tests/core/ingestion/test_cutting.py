import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ingestion.chunks import to_chunks
from core.ingestion.cutting import MAX_TOKENS, cut
from core.ingestion.lesson import BlockKind
from core.ingestion.splitting import size_in_tokens
from core.model import Place
from core.model.limits import MIN_CHUNK_CHARS
from tests.core.ingestion.making import a_lesson, prose

CODE = "```python\n" + "\n".join(f"value_{n} = compute({n})" for n in range(40)) + "\n```"

_words = st.text(alphabet="abcdefg ABC.,:;|-*#`\n\t0123456789äß漢字🙂", max_size=400)
_block = st.one_of(
    st.tuples(st.integers(1, 6), st.text(alphabet="abc xyz", min_size=1, max_size=40)),
    st.tuples(st.sampled_from([kind for kind in BlockKind if kind is not BlockKind.HEADING]), _words),
    st.tuples(
        st.sampled_from([BlockKind.PARAGRAPH, BlockKind.CODE, BlockKind.TABLE, BlockKind.LIST, BlockKind.QUOTE]),
        st.integers(1, 1500).map(prose),
    ),
    st.tuples(st.just(BlockKind.CODE), st.integers(1, 9000).map(lambda n: "x" * n)),
    st.tuples(st.just(BlockKind.LIST), st.integers(1, 90).map(lambda n: "\n".join(["- one item of it"] * n))),
)

_blanks = st.one_of(st.integers(0, 200), st.integers(0, 6000)).map(lambda n: " " * n)
_next_to_nothing = st.tuples(
    st.sampled_from([BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.CODE]),
    st.tuples(_blanks, st.sampled_from(["* * *", "x", "-", "a b c d e"])).map("".join),
)
_full_section = st.tuples(st.just(BlockKind.PARAGRAPH), st.integers(380, 400).map(lambda n: prose(n, word="w")))
_edge_case = st.one_of(
    _next_to_nothing, _next_to_nothing, _full_section, st.tuples(st.integers(1, 3), st.just("A"))
)


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.lists(_block, max_size=12), st.lists(_edge_case, max_size=8)))
def test_the_pieces_of_any_lesson_joined_are_its_text(parts: list[tuple[int, str]]) -> None:
    lesson = a_lesson(*parts)

    pieces = cut(lesson)

    assert "".join(piece.text for piece in pieces) == lesson.text
    if len(pieces) > 1:
        assert all(len(piece.text.strip()) >= MIN_CHUNK_CHARS for piece in pieces)
    chunks = to_chunks(lesson, Place("book"), file_hash="")
    says_something = len(lesson.text.strip()) >= MIN_CHUNK_CHARS
    assert "".join(chunk.text for chunk in chunks) == (lesson.text if says_something else "")


@settings(max_examples=60, deadline=None)
@given(st.one_of(st.lists(_block, max_size=12), st.lists(_edge_case, max_size=8)))
def test_no_piece_grows_far_beyond_the_limit(parts: list[tuple[int, str]]) -> None:
    # A long run of blanks says nothing, however many bytes it has.
    texts = [re.sub(r" {40,}", " ", piece.text) for piece in cut(a_lesson(*parts))]
    longest = max(map(size_in_tokens, texts), default=0)

    assert longest <= MAX_TOKENS + 60


def test_many_sections_of_next_to_nothing_do_not_pile_up_in_one_piece() -> None:
    pieces = cut(a_lesson(*[part for _ in range(600) for part in ((1, "A"), (BlockKind.PARAGRAPH, "x"))]))

    assert max(size_in_tokens(piece.text) for piece in pieces) <= MAX_TOKENS


def test_a_short_piece_before_a_full_section_does_not_cost_the_lesson() -> None:
    lesson = a_lesson(
        (BlockKind.PARAGRAPH, " " * 60 + "* * *"), (1, "Chapter 1"), (BlockKind.PARAGRAPH, prose(393, word="w"))
    )

    chunks = to_chunks(lesson, Place("book"), file_hash="")

    assert "".join(chunk.text for chunk in chunks) == lesson.text


def test_sections_become_pieces_under_their_own_headings() -> None:
    lesson = a_lesson(
        (1, "Robots"),
        (2, "Sensing"),
        (BlockKind.PARAGRAPH, prose(200)),
        (2, "Moving"),
        (BlockKind.PARAGRAPH, prose(200, word="step")),
    )

    pieces = cut(lesson)

    assert [piece.heading for piece in pieces] == [("Robots", "Sensing"), ("Robots", "Moving")]
    assert [piece.anchor for piece in pieces] == ["sensing", "moving"]


def test_a_tiny_section_goes_with_the_neighbour_it_belongs_to() -> None:
    lesson = a_lesson(
        (1, "Book"),
        (2, "First"),
        (BlockKind.PARAGRAPH, prose(200)),
        (2, "Second"),
        (BlockKind.PARAGRAPH, "A short word before the details."),
        (3, "Details"),
        (BlockKind.PARAGRAPH, prose(200, word="detail")),
    )

    pieces = cut(lesson)

    assert [piece.heading[-1] for piece in pieces] == ["First", "Second"]
    assert "A short word" in pieces[1].text
    assert "Detail0" in pieces[1].text


def test_a_long_section_is_cut_into_parts_of_similar_size() -> None:
    lesson = a_lesson((1, "Long"), *[(BlockKind.PARAGRAPH, prose(60, word=f"p{n}x")) for n in range(12)])

    sizes = [size_in_tokens(piece.text) for piece in cut(lesson)]

    assert len(sizes) == 3
    assert max(sizes) < 1.5 * min(sizes)


def test_a_listing_stays_with_the_sentence_that_leads_to_it() -> None:
    lesson = a_lesson(
        (1, "Code"),
        (BlockKind.PARAGRAPH, prose(200)),
        (BlockKind.PARAGRAPH, "For example:"),
        (BlockKind.CODE, CODE),
        (BlockKind.PARAGRAPH, prose(100, word="after")),
    )

    with_code = next(piece for piece in cut(lesson) if "```python" in piece.text)

    assert "For example:" in with_code.text
    assert CODE in with_code.text


def test_a_table_too_long_for_one_piece_is_cut_between_rows() -> None:
    rows = [f"| sensor {n} | measures quantity {n} | every {n} seconds |" for n in range(120)]
    lesson = a_lesson((BlockKind.TABLE, "\n".join(["| a | b | c |", "| --- | --- | --- |", *rows])))

    pieces = cut(lesson)

    assert len(pieces) > 1
    assert pieces[0].text.startswith("| a | b | c |\n| --- | --- | --- |\n| sensor 0 ")
    assert all(line.count("|") == 4 for piece in pieces for line in piece.text.strip().split("\n"))


def test_a_list_too_long_for_one_piece_is_cut_between_items() -> None:
    more = " ".join(f"Sentence {n} says a little more." for n in range(7))
    items = [f"- Item {n} is here. {more}" for n in range(60)]

    pieces = cut(a_lesson((BlockKind.LIST, "\n".join(items))))

    assert len(pieces) > 1
    assert all(piece.text.startswith("- Item") for piece in pieces)


def test_a_listing_without_blank_lines_is_cut_between_lines() -> None:
    lines = [f"step_{n}()  # Do it. Then Go On. And Check." for n in range(200)]

    pieces = cut(a_lesson((BlockKind.CODE, "```\n" + "\n".join(lines) + "\n```")))

    assert len(pieces) > 1
    assert all(piece.text.startswith("step_") for piece in pieces[1:])


def test_a_paragraph_too_long_for_one_piece_is_cut_between_sentences() -> None:
    pieces = cut(a_lesson((BlockKind.PARAGRAPH, prose(1500))))

    assert len(pieces) > 2
    assert all(piece.text.rstrip().endswith(".") for piece in pieces)


def test_a_long_listing_is_cut_at_a_blank_line() -> None:
    functions = [f"def f{n}():\n" + "\n".join(f"    step_{n}_{m}()" for m in range(30)) for n in range(8)]
    pieces = cut(a_lesson((BlockKind.CODE, "```python\n" + "\n\n".join(functions) + "\n```")))

    assert len(pieces) > 1
    assert all(piece.text.startswith("def f") for piece in pieces[1:])


def test_text_without_blanks_is_measured_by_its_length() -> None:
    pieces = cut(a_lesson((BlockKind.PARAGRAPH, "山路を登りながら、こう考えた。" * 200)))

    assert len(pieces) > 3
    assert all(piece.text.strip().endswith("。") for piece in pieces)


@pytest.mark.parametrize(
    ("parts", "count"),
    [
        pytest.param([], 0, id="an empty lesson has none"),
        pytest.param([(1, "Hi")], 1, id="a heading alone is one"),
        pytest.param([(BlockKind.PARAGRAPH, "Short.")], 1, id="a word is one"),
    ],
)
def test_next_to_nothing_is_at_most_one_piece(parts: list[tuple[int, str]], count: int) -> None:
    assert len(cut(a_lesson(*parts))) == count

"""Texts become words that a member's own spelling finds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model import Chunk, Place
from core.retrieval.words import STOP_WORDS, Words, WordWeights, term_id


@pytest.fixture(scope="module")
def words() -> Words:
    return Words()


def chunk(text: str, *, title: str = "", section: tuple[str, ...] = ()) -> Chunk:
    return Chunk(
        id="1",
        text=text,
        place=Place("b"),
        parent_id="p",
        index=0,
        total=1,
        previous_id=None,
        next_id=None,
        page_title=title,
        section=section,
        breadcrumb="",
        url="",
        source_file="f.md",
        source_file_hash="0",
        content_hash="0",
    )


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        pytest.param("running nodes", "A node runs.", id="stems"),
        pytest.param("ROS 2", "ROS2", id="number apart"),
        pytest.param("robot state publisher", "robot_state_publisher", id="snake case by its words"),
        pytest.param("robot_state_publisher", "the `robot_state_publisher` node", id="snake case whole"),
        pytest.param("http server", "HTTPServer", id="camel case by its words"),
        pytest.param("HTTPServer", "class HTTPServer:", id="camel case whole"),
        pytest.param("init", "__init__", id="underscores"),
        pytest.param("email", "e-mail", id="hyphen left out"),
        pytest.param("real time", "real-time", id="hyphenated"),
        pytest.param("C++", "written in C++.", id="C++"),
        pytest.param("C#", "C# code", id="C#"),
        pytest.param("1000", "1,000 robots", id="thousands"),
        pytest.param("3.11", "Python v3.11", id="version"),
        pytest.param("cafe", "café", id="accents"),
        pytest.param("strasse", "Straße", id="sharp s"),
        pytest.param("robot", "the robot's arm", id="possessive"),
        pytest.param("本語", "日本語のテスト", id="script without spaces"),
    ],
)
def test_it_is_found_as_a_member_would_write_it(words: Words, asked: str, written: str) -> None:
    assert set(words.of_text(asked)) <= set(words.of_text(written))


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        pytest.param("C", "C++", id="C is not C++"),
        pytest.param("3.1", "3.11", id="versions are whole"),
        pytest.param("cat", "concatenate", id="not inside a word"),
    ],
)
def test_it_is_not_found_by_something_else(words: Words, asked: str, written: str) -> None:
    assert not set(words.of_text(asked)) & set(words.of_text(written))


def test_the_words_questions_are_made_of_do_not_count(words: Words) -> None:
    assert words.of_text("What is the robot, and why doesn't it do this?") == ["robot"]
    assert not words.of_query(" ".join(STOP_WORDS)).indices


def test_a_word_asked_twice_counts_once(words: Words) -> None:
    query = words.of_query("robot robots Robot gripper")

    assert sorted(query.indices) == list(query.indices)
    assert set(query.indices) == {term_id("robot"), term_id("gripper")}
    assert set(query.values) == {1.0}


def test_repeated_words_count_more_but_ever_less_so(words: Words) -> None:
    weights = [words.of_chunk(chunk("robot " * n + "sensor " * (20 - n))).values for n in (1, 2, 3)]
    index = words.of_chunk(chunk("robot sensor")).indices.index(term_id("robot"))

    once, twice, thrice = (values[index] for values in weights)

    assert once < twice < thrice
    assert twice - once > thrice - twice


def test_a_word_counts_less_in_a_longer_chunk(words: Words) -> None:
    def weight(text: str) -> float:
        terms = words.of_chunk(chunk(text))
        return terms.values[terms.indices.index(term_id("robot"))]

    assert weight("robot " + "sensor " * 400) < weight("robot " + "sensor " * 20)


def test_a_chunk_is_found_by_its_headings(words: Words) -> None:
    terms = words.of_chunk(chunk("It closes until five newtons.", title="Grippers", section=("Force control",)))

    assert {term_id("gripper"), term_id("forc"), term_id("control"), term_id("newton")} <= set(terms.indices)


def test_a_heading_weighs_as_much_as_it_is_told_to() -> None:
    one = chunk("It closes until five newtons.", title="Grippers")

    def weight(heading_weight: float) -> float:
        terms = Words(WordWeights(heading_weight=heading_weight)).of_chunk(one)
        return terms.values[terms.indices.index(term_id("gripper"))]

    assert weight(3.0) > weight(1.0) > weight(0.5)


def test_term_ids_never_change() -> None:
    # The index on disk holds these numbers; another hash would lose every book silently.
    assert term_id("robot") == 0xD82B7EE4
    assert term_id("日本") == 0xC7B7CDCC


@given(st.text(max_size=300))
def test_any_text_gives_valid_words(text: str) -> None:
    terms = Words().of_query(text)

    assert list(terms.indices) == sorted(set(terms.indices))
    assert all(0 <= index < 1 << 32 for index in terms.indices)
    assert all(word and word == word.casefold() for word in Words().of_text(text))

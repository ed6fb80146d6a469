"""An answer in the book's own words: whole sentences in reading order, each with its mark."""

import pytest

from core.answering.extractive_writer import to_draft
from core.answering.showing import shown_block, shown_sentence
from core.model import Findings, FoundChunk, FoundSentence
from tests.core.answering.making import make_found


def findings(chunks: tuple[FoundChunk, ...], *sentences: tuple[int, str, float], query: str = "What?") -> Findings:
    """Findings in which each of *sentences* (chunk, words, score) was read closely."""
    found = []
    for at, words, score in sentences:
        text = chunks[at].chunk.text
        start = text.index(words)
        is_block = "\n" in words
        found.append(FoundSentence(chunks[at].chunk.id, start, start + len(words), score, is_block=is_block))
    return Findings(query, chunks, sentences=tuple(found), answerability=0.9)


def test_sentences_come_in_reading_order_with_marks_that_lead_to_their_chunk() -> None:
    chunks = make_found(["First comes sensing. It is slow.", "Then comes acting. It is fast."])

    draft = to_draft(findings(chunks, (1, "Then comes acting.", 5.0), (0, "First comes sensing.", 4.0)))

    assert draft.text == "First comes sensing. [1]\n\nThen comes acting. [2]"
    assert [draft.quotes[1], draft.quotes[2]] == ["First comes sensing.", "Then comes acting."]
    assert [found.chunk.index for found in draft.chunks] == [0, 1]


def test_every_quote_stands_in_its_chunk_word_for_word() -> None:
    chunks = make_found(["- **Nodes** pass [messages](m.md)\n  over topics [12]. They are small."])

    draft = to_draft(findings(chunks, (0, "- **Nodes** pass [messages](m.md)\n  over topics [12].", 5.0)))

    assert draft.quotes[1] in chunks[0].chunk.text


def test_what_stands_between_two_chosen_sentences_comes_too() -> None:
    text = "There are three stops. Category 0 cuts the power. Category 1 brakes first. Category 2 keeps it on."
    chunks = make_found([text])

    draft = to_draft(findings(chunks, (0, "There are three stops.", 5.0), (0, "Category 2 keeps it on.", 4.0)))

    assert draft.text == f"{text} [1]"


def test_a_far_weaker_or_repeated_sentence_is_left_out() -> None:
    chunks = make_found(["The gap is a drop in performance. Rust is red.", "So the gap is a drop in performance."])

    draft = to_draft(
        findings(
            chunks,
            (0, "The gap is a drop in performance.", 7.0),
            (1, "So the gap is a drop in performance.", 6.5),
            (0, "Rust is red.", -3.0),
        )
    )

    assert draft.text == "The gap is a drop in performance. [1]"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Discovery finds nodes. It needs a domain ID.", "Discovery finds nodes. It needs a domain ID. [1]"),
        ("Discovery finds nodes.\n\nEach group needs a domain ID.", "Discovery finds nodes. [1]"),
    ],
    ids=["in the same paragraph", "in another one"],
)
def test_a_weaker_sentence_belongs_where_it_goes_on_from_a_better_one(text: str, shown: str) -> None:
    chunks = make_found([text])
    weaker = next(each for each in ("It needs a domain ID.", "Each group needs a domain ID.") if each in text)

    draft = to_draft(findings(chunks, (0, "Discovery finds nodes.", 5.0), (0, weaker, 0.0)))

    assert draft.text == shown


def test_what_stands_around_the_best_sentence_comes_before_what_is_a_little_better_elsewhere() -> None:
    paragraph = "No server keeps a list. Discovery finds nodes. The middleware does the work."
    chunks = make_found([f"{paragraph}\n\nTwo nodes share a network.\n\nEach group has a number."])

    draft = to_draft(
        findings(
            chunks,
            (0, "Discovery finds nodes.", 5.0),
            (0, "Two nodes share a network.", 4.6),
            (0, "Each group has a number.", 4.5),
            (0, "The middleware does the work.", 3.4),
            (0, "No server keeps a list.", 3.2),
        )
    )

    assert draft.text == f"{paragraph} [1]"


def test_the_question_itself_is_no_answer() -> None:
    chunks = make_found(["What does a node do? A node does one job."])

    draft = to_draft(
        findings(
            chunks,
            (0, "What does a node do?", 9.0),
            (0, "A node does one job.", 5.0),
            query="What does a node do?",
        )
    )

    assert draft.text == "A node does one job. [1]"


def test_a_list_stands_whole_below_the_line_that_leads_to_it() -> None:
    block = "The steps are:\n\n1. Build it.\n2. Run it."
    chunks = make_found([f"{block}\n\nDone."])

    draft = to_draft(findings(chunks, (0, block, 5.0)))

    assert draft.text == "The steps are: [1]\n\n1. Build it.\n2. Run it."


CODE = "```python\nnode = rclpy.create_node('talker')\n```"
HOW = f"A node is made with `create_node`. It needs a name.\n\n{CODE}\n\nNodes are small."


@pytest.mark.parametrize(
    "question", ["How do I write a node?", "Show me an example of a node", "Which command makes a node?"]
)
def test_who_asks_how_it_is_written_sees_it_written(question: str) -> None:
    chunks = make_found([HOW])

    draft = to_draft(findings(chunks, (0, "A node is made with `create_node`.", 5.0), query=question))

    assert draft.text == f"A node is made with `create_node`. [1]\n\n{CODE}\n\n[2]"
    assert list(draft.quotes.values()) == ["A node is made with `create_node`.", CODE]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (HOW, "What is a node?"),
        (HOW, "How do I fix this?\n```\nnode = create_node()\n```"),
        (f"A node is made with `create_node`.\n\n## Topics\n\n{CODE}", "How do I write a node?"),
    ],
    ids=["another question", "its own code", "another section"],
)
def test_code_that_was_not_asked_for_stays_away(text: str, question: str) -> None:
    chunks = make_found([text])

    draft = to_draft(findings(chunks, (0, "A node is made with `create_node`.", 5.0), query=question))

    assert draft.text == "A node is made with `create_node`. [1]"


RUN = "Start it with its name:\n\n```bash\nros2 run talk talker\n```"


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        pytest.param(
            "How do I write a node?", f"A node is made with `create_node`. [1]\n\n{CODE}\n\n[2]", id="write"
        ),
        pytest.param(
            "How do I start a node?", "Start it with its name: [1]\n\n```bash\nros2 run talk talker\n```", id="run"
        ),
    ],
)
def test_commands_that_run_it_do_not_tell_how_it_is_written(question: str, shown: str) -> None:
    chunks = make_found([f"A node is made with `create_node`.\n\n{CODE}\n\n{RUN}"])

    draft = to_draft(
        findings(chunks, (0, RUN, 5.5), (0, "A node is made with `create_node`.", 5.0), query=question)
    )

    assert draft.text == shown


def test_beside_code_stands_only_what_is_said_where_it_stands() -> None:
    chunks = make_found([f"{HOW}", "Nodes may also be written in C++."])
    made, small, also = (
        "A node is made with `create_node`.",
        "Nodes are small.",
        "Nodes may also be written in C++.",
    )

    draft = to_draft(
        findings(chunks, (0, made, 5.0), (1, also, 4.5), (0, small, 4.0), query="How do I write a node?")
    )

    assert draft.text == f"{made} [1]\n\n{CODE}\n\n[2]\n\n{small} [3]"


def test_nothing_found_is_a_draft_without_words() -> None:
    draft = to_draft(Findings("What?"))

    assert draft.text == ""
    assert draft.chunks == ()


@pytest.mark.parametrize(
    ("quote", "shown"),
    [
        pytest.param("A node\nruns.", "A node runs.", id="one line"),
        pytest.param("- [Nodes](a.md) run.", "Nodes run.", id="item and link"),
        pytest.param("It rains.[3] It pours [12, 13].", "It rains. It pours.", id="the book's own footnotes"),
        pytest.param("Use `a[1]` and **bold.", "Use `a[1]` and bold.", id="code stays, half emphasis goes"),
        pytest.param("> Mind the <b>gap</b>.", "Mind the gap.", id="quotes and tags"),
        pytest.param("![A robot](r.png) It walks.", "It walks.", id="no picture"),
    ],
)
def test_a_sentence_is_shown_without_the_pages_markup(quote: str, shown: str) -> None:
    assert shown_sentence(quote) == shown


def test_a_block_keeps_its_lines_and_moves_to_the_edge() -> None:
    assert shown_block("1. One\n   more\n2. Two") == "1. One\n   more\n2. Two"
    assert shown_block("```python\n    a[1] = 2\n```") == "```python\n    a[1] = 2\n```"


def test_a_sentence_that_points_back_brings_the_one_it_points_at() -> None:
    chunks = make_found(["Nodes talk all day. Topics are made for exactly that kind of talk."])

    draft = to_draft(findings(chunks, (0, "Topics are made for exactly that kind of talk.", 5.0)))

    assert draft.text == "Nodes talk all day. Topics are made for exactly that kind of talk. [1]"


def test_what_was_said_before_is_not_said_again_unless_there_is_nothing_else() -> None:
    chunks = make_found(
        ["A topic is a channel. Publishers write to it, because nodes should not know each other."]
    )
    known, more = "A topic is a channel.", "Publishers write to it, because nodes should not know each other."
    both = findings(chunks, (0, known, 9.0), (0, more, 6.0))

    assert to_draft(both, said=f"{known} [1]").text == f"{more} [1]"
    assert to_draft(findings(chunks, (0, known, 9.0)), said=f"{known} [1]").text == f"{known} [1]"

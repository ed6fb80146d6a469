"""A long conversation is summed up in one line of the members' own words."""

from dataclasses import replace

from core.answering.summarising import topic_summary
from core.model import History, Message, Role
from tests.core.answering.passages import to_task

QUESTIONS = [
    "What is a node?",
    "How does discovery work?",
    "What is the default depth?",
    "Why?",
    "What does transient local durability mean?",
]


def history_of(*questions: str, summary: str | None = None) -> History:
    session = replace(to_task(summary=summary).history.session, turn_count=len(questions))
    messages = [
        message
        for question in questions
        for message in (Message(Role.USER, question), Message(Role.ASSISTANT, "An answer [1]."))
    ]
    return History(session, messages=tuple(messages))


def test_four_turns_need_no_summary() -> None:
    assert topic_summary(history_of(*QUESTIONS[:3]), QUESTIONS[3]) is None


def test_the_fifth_turn_brings_one_that_names_every_topic() -> None:
    summary = topic_summary(history_of(*QUESTIONS[:4]), QUESTIONS[4])

    assert summary == "node; discovery; default depth; transient local durability"


def test_it_stays_while_the_topic_stays() -> None:
    history = history_of(*QUESTIONS, summary="node; default depth")

    assert topic_summary(history, "What is the depth of a node?") is None
    assert topic_summary(history, "Why?") is None


def test_it_is_made_anew_when_the_topic_moves() -> None:
    summary = topic_summary(history_of(*QUESTIONS, summary="node; default depth"), "How does a lidar scan?")

    assert summary is not None
    assert summary.endswith("lidar scan")


def test_it_never_exceeds_its_limit_and_keeps_the_newest() -> None:
    questions = [f"How does the extraordinarily long subject number{n} behave{n}?" for n in range(40)]

    summary = topic_summary(history_of(*questions), "And quaternions?")

    assert summary is not None
    assert len(summary) <= 200
    assert summary.endswith("quaternions")

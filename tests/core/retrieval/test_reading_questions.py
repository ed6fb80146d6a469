"""What a question says about itself: its subject, its place, its slips, and whether it leans on the last one."""

import pytest

from core.model import Turn
from core.retrieval.acronyms import acronyms_in, related
from core.retrieval.asides import is_about_the_book
from core.retrieval.focus import focus
from core.retrieval.followups import meant_item
from core.retrieval.leaning import leans
from core.retrieval.places import NamedPlace, named_place
from core.retrieval.questions import content_words
from core.retrieval.spelling import respellings


@pytest.mark.parametrize(
    ("question", "is_leaning"),
    [
        ("why?", True),
        ("And the second one?", True),
        ("Give an example", True),
        ("How does it work?", True),
        ("more details please", True),
        ("What is a topic?", False),
        ("How do nodes find each other?", True),
        ("Which quality of service policies does a camera publisher need?", False),
    ],
)
def test_only_a_question_that_points_back_or_says_little_leans(question: str, is_leaning: bool) -> None:
    assert leans(question) is is_leaning


@pytest.mark.parametrize(
    ("question", "item"),
    [("What about the second one?", "Source it."), ("And the last?", "Run it."), ("And the fifth?", None)],
)
def test_an_ordinal_means_an_item_of_the_last_answer(question: str, item: str | None) -> None:
    last = Turn("How?", "The steps are: [1]\n\n1. Build it.\n2. Source it.\n3. Run it.")

    assert meant_item(question, last) == item


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ("What is a node in chapter 3?", NamedPlace("What is a node ?", 3, 3)),
        ("Summarise noise from chapters 3 to 5", NamedPlace("Summarise noise", 3, 5)),
        ("In lesson 2.1, what is a link?", NamedPlace(", what is a link?", 2, 2, 1)),
        ("What is a joint in the Gazebo module?", NamedPlace("What is a joint ?", module_name="gazebo")),
        ("What is a world in module 2?", NamedPlace("What is a world ?", module_number=2)),
        ("What is chapter 11 bankruptcy?", None),
        ("What is a node?", None),
    ],
)
def test_a_place_is_named_by_what_leads_to_it(question: str, place: NamedPlace | None) -> None:
    assert named_place(question) == place


def test_a_questions_subject_is_not_what_it_asks_with() -> None:
    assert content_words("What is the main purpose of the `rclpy` node?") == ["rclpy", "node"]


def test_code_and_options_are_not_the_question() -> None:
    asked = "Which type does this program have?\n```rust\nlet a = 1;\n```\n\nOptions:\nA) i32\nB) u8"

    assert focus(asked) == "Which type does this program have?"
    assert focus("```a```") == "```a```"


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        (
            "I am lost in chapter 3. What does a node need a unique name for?",
            "What does a node need a unique name for?",
        ),
        (
            "Consider this:\n```\nnode()\n```\n\nWhich sensor topics does the laser node read?",
            "Which sensor topics does the laser node read?",
        ),
        (
            "Which sensor topics does the laser node read? Answer briefly.",
            "Which sensor topics does the laser node read?",
        ),
        ("I start a node. What happens to it?", "I start a node. What happens to it?"),
        ("Who was J. A. Hobson of Commission v. Cresson?", "Who was J. A. Hobson of Commission v. Cresson?"),
    ],
    ids=["a remark before", "code before", "a wish behind", "a question that leans on it", "initials"],
)
def test_what_leads_up_to_a_question_is_not_the_question(question: str, asked: str) -> None:
    assert focus(question) == asked


def test_a_slip_is_put_right_only_where_the_book_has_such_a_word() -> None:
    spellings = {"q": {"quaternion", "quality"}, "s": {"sensor", "service"}}

    assert respellings("Does a quaterion need TSENSR or a senser?", spellings) == ["quaternion", "sensor"]
    assert respellings("Is the service of good quality?", spellings) == []
    assert respellings("planes", {"p": {"planets"}}) == ["planets"]
    assert respellings("node", {"n": {"nodes"}}) == []


def test_acronyms_are_learned_where_they_are_explained() -> None:
    text = "An inertial measurement unit (IMU) and SLAM (simultaneous localisation and mapping). See RFC (draft)."

    known = acronyms_in(text)

    assert known == {"IMU": "inertial measurement unit", "SLAM": "simultaneous localisation and mapping"}
    assert related("What does an imu do?", known) == ["inertial measurement unit"]
    assert related("What is an inertial measurement unit?", known) == ["IMU"]
    assert related("What is an inertial measurement unit (IMU)?", known) == []


@pytest.mark.parametrize(
    ("passage", "section", "is_aside"),
    [
        ("By the end you can write a package.", "Welcome", True),
        ("Nodes pass messages.", "Learning objectives", True),
        ("What does a node do?", "Nodes", True),
        ("A node does one job.", "Nodes", False),
        ("In this way nodes stay small.", "Nodes", False),
    ],
)
def test_what_speaks_of_the_book_is_an_aside(passage: str, section: str, is_aside: bool) -> None:
    assert is_about_the_book(passage, section) is is_aside

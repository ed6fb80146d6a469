"""What is typed in the terminal channel."""

import pytest

from bot.cli.chat.lines import COMMANDS, Line, to_line
from bot.cli.chat.room import DOES, LEAVING


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        pytest.param("What is a topic?", Line("", "What is a topic?"), id="a question"),
        pytest.param("  Why? \n", Line("", "Why?"), id="with space around"),
        pytest.param("what does /cmd_vel do?", Line("", "what does /cmd_vel do?"), id="a slash inside"),
        pytest.param("/threads", Line("/threads", ""), id="a command"),
        pytest.param("/REPLY 2  is that so?", Line("/reply", "2  is that so?"), id="in any letters"),
        pytest.param("", Line("", ""), id="nothing"),
    ],
)
def test_line_is_a_question_or_a_command(typed: str, line: Line) -> None:
    assert to_line(typed) == line


@pytest.mark.parametrize(
    ("rest", "number", "after"),
    [
        pytest.param("2 is that so?", 2, "is that so?", id="number and question"),
        pytest.param("12", 12, "", id="number alone"),
        pytest.param("two is that so?", None, "is that so?", id="no number"),
        pytest.param("²", None, "", id="not a number one counts with"),
        pytest.param("", None, "", id="nothing"),
    ],
)
def test_number_of_a_message_is_read(rest: str, number: int | None, after: str) -> None:
    line = Line("/reply", rest)

    assert (line.number, line.after_number) == (number, after)


def test_every_command_that_help_lists_is_understood() -> None:
    assert {name.split()[0] for name in COMMANDS} - LEAVING == set(DOES) - {""}

"""The sources of an answer, one line for each place."""

from bot.cli.answers import source_lines
from bot.reply import Footnote


def footnote(number: int, section: str, url: str = "https://example.org/topics") -> Footnote:
    return Footnote(number, "Topics", section, "ROS 2 › Topics", url, "A quote.", f"id-{number}")


def test_marks_that_lead_to_one_place_share_a_line() -> None:
    lines = source_lines([footnote(1, "QoS"), footnote(2, "History"), footnote(3, "QoS")])

    assert lines == [
        "[1][3] Topics › QoS  https://example.org/topics",
        "[2] Topics › History  https://example.org/topics",
    ]


def test_page_that_only_the_bot_serves_is_no_address_here() -> None:
    assert source_lines([footnote(1, "QoS", "/read/robots/topics#qos")]) == ["[1] Topics › QoS"]

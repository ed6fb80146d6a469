"""What is drawn on a terminal, and what is only written elsewhere."""

import io

import pytest
from rich.console import Console

from bot.cli.chat.screen import Screen
from bot.cli.printer import Printer
from bot.reply import Footnote, Reply, ReplyKind
from core.model import Stage, StageEvent, TextEvent

REPLY = Reply(
    kind=ReplyKind.ANSWER,
    text="A **topic** is a channel \x1b[31m[1].\n\n- one\n- two",
    footnotes=(Footnote(1, "Topics", "QoS", "ROS 2 › Topics", "https://example.org/t", "A topic …", "id"),),
    confidence_level="high",
)


def screen(*, is_terminal: bool, is_plain: bool = False) -> tuple[Screen, io.StringIO]:
    printer = Printer(is_plain=is_plain)
    shown = io.StringIO()
    printer.out = Console(file=shown, force_terminal=is_terminal, width=60, height=12, color_system="truecolor")
    printer.err = Console(file=shown, force_terminal=is_terminal, width=60)
    printer.is_plain, printer.is_quiet = is_plain or not is_terminal, not is_terminal
    return Screen(printer), shown


def test_text_streams_on_a_terminal_and_gives_way_to_the_answer() -> None:
    drawn, shown = screen(is_terminal=True)

    with drawn.watching() as watch:
        watch(StageEvent(Stage.RETRIEVING))
        watch(TextEvent("A topic is"))
        watch(TextEvent("\n".join(f"line {number}" for number in range(40))))
    drawn.reply(2, REPLY)

    assert "\x1b[2K" in shown.getvalue(), "what streamed is erased"
    assert "line 39" in shown.getvalue()
    assert "line 3\n" not in shown.getvalue(), "a text longer than the terminal shows its end"
    assert "2. Footnote" in shown.getvalue()


@pytest.mark.parametrize("is_terminal", [True, False], ids=["plain terminal", "pipe"])
def test_plain_screen_writes_lines_and_moves_nothing(is_terminal: bool) -> None:
    plain, shown = screen(is_terminal=is_terminal, is_plain=True)

    with plain.watching() as watch:
        for stage in (Stage.RECEIVED, Stage.VALIDATED, Stage.RETRIEVING, Stage.RETRIEVING):
            watch(StageEvent(stage))
        watch(TextEvent("half a"))
    plain.reply(2, REPLY)

    assert "\x1b[2K" not in shown.getvalue()
    assert "half a" not in shown.getvalue()
    assert shown.getvalue().count("Looking it up") == (1 if is_terminal else 0)
    assert "[1] Topics › QoS  https://example.org/t" in shown.getvalue()


def test_book_cannot_colour_the_terminal() -> None:
    piped, shown = screen(is_terminal=False)

    piped.reply(1, REPLY)
    piped.message(1, "You", "red \x1b[31m text")

    assert "\x1b[31m" not in shown.getvalue()

"""What is shown while something takes long: drawn on a terminal, lines on a plain one, nothing in a pipe."""

import io

import pytest
from rich.console import Console

from bot.cli.printer import Printer
from bot.cli.progress import progress_bar
from core.store.job import Job, JobStatus


def printer(*, is_terminal: bool, is_plain: bool = False) -> tuple[Printer, io.StringIO]:
    made, shown = Printer(is_plain=is_plain), io.StringIO()
    made.out = Console(file=shown, force_terminal=is_terminal, width=100)
    made.err = Console(file=shown, force_terminal=is_terminal, width=100)
    made.is_plain, made.is_quiet = is_plain or not is_terminal, not is_terminal
    return made, shown


def running(done: int) -> Job:
    return Job(
        id=1,
        book="ros",
        mode="full",
        source="x",
        status=JobStatus.RUNNING,
        files_total=40,
        files_processed=done,
        chunks_created=done * 3,
        current_file=f"[chapter]/{done}.md",
    )


def test_stages_are_drawn_on_a_terminal() -> None:
    made, shown = printer(is_terminal=True)

    with made.busy("Opening …") as tell:
        tell("Looking [it] up …")

    assert "Looking [it] up …" in shown.getvalue()


def test_stages_are_lines_on_a_plain_terminal_each_once() -> None:
    made, shown = printer(is_terminal=True, is_plain=True)

    with made.busy("Opening …") as tell:
        for words in ("Looking …", "Looking …", "Writing …"):
            tell(words)

    lines = [line.removeprefix("\x1b[2m").removesuffix("\x1b[0m") for line in shown.getvalue().splitlines()]
    assert lines == ["Opening …", "Looking …", "Writing …"]


def test_nothing_but_the_result_is_written_into_a_pipe() -> None:
    made, shown = printer(is_terminal=False)

    with made.busy("Opening …") as tell, progress_bar(made) as show:
        tell("Looking …")
        show(running(5))

    assert shown.getvalue() == ""


def test_bar_shows_the_file_and_the_way_that_is_done() -> None:
    made, shown = printer(is_terminal=True)

    with progress_bar(made) as show:
        show(running(5))

    assert "[chapter]/5.md" in shown.getvalue()
    assert "5/40" in shown.getvalue()
    assert "15 passages" in shown.getvalue()


def test_plain_progress_is_a_line_for_each_tenth_at_most() -> None:
    made, shown = printer(is_terminal=True, is_plain=True)

    with progress_bar(made) as show:
        for done in range(41):
            show(running(done))

    assert len(shown.getvalue().splitlines()) == 11
    assert "40 of 40 files" in shown.getvalue()


def test_table_is_drawn_for_people() -> None:
    made, shown = printer(is_terminal=True)

    made.table(("book", "title"), [("ros", "Robots [bold]\x1b[31m")])

    assert "book" in shown.getvalue()
    assert "Robots [bold]" in shown.getvalue()
    assert "\x1b[31m" not in shown.getvalue()


def test_line_of_a_book_is_not_obeyed_by_the_terminal() -> None:
    made, shown = printer(is_terminal=False)

    made.line("red \x1b[31m and a bell \x07")
    made.note("red \x1b[31m")

    assert not {"\x1b", "\x07"} & set(shown.getvalue())


@pytest.mark.parametrize("term", ["dumb", "xterm"])
def test_simple_terminal_gets_plain_lines(term: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("FORCE_COLOR", "1")

    assert Printer().is_plain is (term == "dumb")

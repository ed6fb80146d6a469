"""What a person sees while an answer is being made, and of it when it is there."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bot.cli.answers import print_reply, print_text
from bot.cli.printer import Printer
from bot.markup import clean
from bot.reply import Reply
from bot.wording import STAGES
from core.model import AskEvent, Stage, StageEvent, TextEvent

if TYPE_CHECKING:
    from rich.text import Text

Watch = Callable[[AskEvent], None]

LINES_KEPT = 6
"""Of a text that is being written, these many lines of the terminal are left for what stood there before."""
SHOWN_STAGES = (Stage.RECEIVED, Stage.RETRIEVING, Stage.GENERATING, Stage.FORMATTING)


class Screen:
    """Draws on a terminal that can be drawn on; writes plain lines everywhere else."""

    def __init__(self, printer: Printer) -> None:
        self.printer = printer

    @contextmanager
    def watching(self) -> Iterator[Watch]:
        """While the block runs, show the stages and the text so far; it is gone when the answer is printed."""
        if self.printer.is_plain:
            yield self._stage_lines()
            return
        from rich.live import Live
        from rich.text import Text

        with Live(console=self.printer.out, transient=True, refresh_per_second=8) as live:

            def watch(event: AskEvent) -> None:
                if isinstance(event, StageEvent):
                    live.update(Text(STAGES[event.stage], style="dim"))
                elif isinstance(event, TextEvent):
                    live.update(self._tail(event.text))

            yield watch

    def message(self, number: int, who: str, text: str) -> None:
        """One message with the number that /reply and /sources take."""
        self.printer.line(f"{number}. {who}", style="bold cyan")
        print_text(text, self.printer)

    def reply(self, number: int, reply: Reply) -> None:
        self.printer.line(f"{number}. Footnote", style="bold green")
        print_reply(reply, self.printer)

    def say(self, text: str = "", style: str = "") -> None:
        self.printer.line(text, style=style)

    def _stage_lines(self) -> Watch:
        said: list[str] = []

        def watch(event: AskEvent) -> None:
            if self.printer.is_quiet or not isinstance(event, StageEvent):
                return
            if event.stage in SHOWN_STAGES and STAGES[event.stage] not in said:
                said.append(STAGES[event.stage])
                self.printer.note(said[-1])

        return watch

    def _tail(self, text: str) -> "Text":
        from rich.text import Text

        room = max(3, self.printer.out.height - LINES_KEPT)
        lines = Text(clean(text)).wrap(self.printer.out, self.printer.out.width)
        return Text("\n").join(list(lines)[-room:])

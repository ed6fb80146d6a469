"""What a command prints: for people, in colours where they can be seen; for scripts, one JSON document."""

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.markup.neutral import clean

Tell = Callable[[str], None]
"""Shows what is happening, in place of what it showed before."""


class Printer:
    """Results go to standard output, everything else to standard error. Colours obey NO_COLOR and pipes.

    With *is_plain* nothing moves or is drawn: lines only, for screen readers and simple terminals.
    """

    def __init__(self, *, is_json: bool = False, is_plain: bool = False) -> None:
        self.is_json = is_json
        self.out = Console(file=sys.stdout, highlight=False)
        self.err = Console(file=sys.stderr, highlight=False)
        is_simple = os.environ.get("TERM") == "dumb"
        self.is_plain = is_plain or is_simple or not self.out.is_terminal
        self.is_quiet = not self.err.is_terminal
        """Nobody is looking: no progress, no hints."""

    def document(self, document: Mapping[str, object]) -> None:
        """The one JSON document of a command."""
        indent = 2 if self.out.is_terminal else None
        sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=indent) + "\n")
        sys.stdout.flush()

    def line(self, text: str = "", style: str = "") -> None:
        """A line for people. Nothing in it is obeyed by the terminal, whatever book it comes from."""
        if not self.is_json:
            self.out.print(Text(clean(text), style=style), soft_wrap=True)

    def note(self, text: str, style: str = "dim") -> None:
        """A line beside the result, also where the result is JSON."""
        self.err.print(Text(clean(text), style=style), soft_wrap=True)

    def table(self, titles: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """A table; in a pipe one line a row with tabs between, which other commands can take apart."""
        if self.is_json:
            return
        if self.is_plain:
            for row in rows:
                # Not through rich, which would turn tabs into spaces.
                self.out.file.write("\t".join(" ".join(clean(cell).split()) for cell in row) + "\n")
            return
        table = Table(*titles, box=None, header_style="bold", pad_edge=False)
        for row in rows:
            table.add_row(*(Text(clean(cell)) for cell in row))
        self.out.print(table)

    @contextmanager
    def busy(self, words: str) -> Iterator[Tell]:
        """While the block runs, show *words* and then what is told; nothing at all where nobody is looking."""
        if self.is_quiet:
            yield lambda _: None
        elif self.is_plain:
            self.note(words)
            yield self._tell_lines(words)
        else:
            with self.err.status(Text(words)) as status:
                yield lambda told: status.update(Text(told))

    def _tell_lines(self, last: str) -> Tell:
        said = [last]

        def tell(words: str) -> None:
            if words != said[-1]:
                said.append(words)
                self.note(words)

        return tell

"""What a person types: a question, or a command that begins with a slash."""

import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass

from bot.cli.printer import Printer

COMMANDS = {
    "/new": "begin a new thread",
    "/threads": "list your threads",
    "/open N": "go on in thread N",
    "/reply N question": "ask about message N; its text is what the question is about",
    "/search words": "find passages; filters such as chapter:2-4 or module:perception may stand among the words",
    "/sources N": "show the passages that answer N rests on",
    "/history": "show this thread from the beginning",
    "/books": "list the books",
    "/use BOOK": "read this book alone in this thread; /use all for all of them",
    "/forget": "delete this thread for real",
    "/help": "show this list",
    "/quit": "leave",
}
PROMPT = "> "


@dataclass(frozen=True, slots=True)
class Line:
    """One line typed. *command* is empty for a question."""

    command: str
    rest: str

    @property
    def number(self) -> int | None:
        """The number that the rest begins with."""
        first = self.rest.split(maxsplit=1)[0] if self.rest else ""
        return int(first) if first.isdecimal() else None

    @property
    def after_number(self) -> str:
        return self.rest.split(maxsplit=1)[1].strip() if len(self.rest.split(maxsplit=1)) > 1 else ""


def to_line(typed: str) -> Line:
    """What was typed, taken apart. A path or a fraction is no command: its slash does not begin the line."""
    typed = typed.strip()
    if not typed.startswith("/"):
        return Line("", typed)
    word, _, rest = typed.partition(" ")
    return Line(word.lower(), rest.strip())


async def read_lines(printer: Printer) -> AsyncIterator[str]:
    """Lines until the input ends. On a terminal with editing and completion; from a pipe each line is shown."""
    if sys.stdin.isatty() and not printer.is_plain:
        async for line in _edited_lines():
            yield line
        return
    async for line in _plain_lines(printer):
        yield line


async def _edited_lines() -> AsyncIterator[str]:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import WordCompleter

    names = [name.split()[0] for name in COMMANDS]
    # Kept in memory only: what is forgotten must not live on in a file of typed lines.
    prompt: PromptSession[str] = PromptSession(completer=WordCompleter(names, sentence=True))
    while True:
        try:
            yield await prompt.prompt_async(PROMPT)
        except EOFError:
            return


async def _plain_lines(printer: Printer) -> AsyncIterator[str]:
    import asyncio

    is_typed = sys.stdin.isatty()
    while True:
        if is_typed:
            sys.stdout.write(PROMPT)
            sys.stdout.flush()
        line = await asyncio.to_thread(sys.stdin.readline)
        if not line:
            return
        if not is_typed and line.strip():
            printer.line(f"{PROMPT}{line.strip()}")
        yield line

"""What our commands are called in a workspace: a prefix keeps them apart from those of other apps (pure)."""

import re
from collections.abc import Mapping
from dataclasses import replace

from bot import telling
from bot.reply import Reply, ReplyKind

COMMANDS: Mapping[str, str] = {
    "ask": "and a question: the same as mentioning me",
    "search": "and some words: passages, for you alone; without words a form with filters",
    "book": "list, add, use, status or remove: the books here",
    "history": "what I remember of your last conversation here",
    "forget": "choose a conversation for me to forget",
    "usage": "what was asked today",
    "report": "for leaders: what the book did not answer",
    "help": "this",
}
"""Every command with what it does; the manifest and the help are made of it."""

_COMMAND = re.compile(rf"(?<![\w/.-])/({'|'.join(COMMANDS)})(?![\w/-])")


class Naming:
    """The names under *prefix*. Sentences say `/book` wherever they are said; here it may be `/fn-book`."""

    def __init__(self, prefix: str = "") -> None:
        self._before = f"{prefix}-" if prefix else ""

    @property
    def help_text(self) -> str:
        shown = {f"/{self._before}{name}": does for name, does in COMMANDS.items()}
        return telling.help_text("Mention me in a channel", shown)

    def command(self, typed: str) -> str:
        """Which of our commands /fn-ask is."""
        return typed.removeprefix("/").removeprefix(self._before)

    def text(self, sentence: str) -> str:
        """A sentence of ours with the names that members can type."""
        return _COMMAND.sub(rf"/{self._before}\1", sentence)

    def reply(self, reply: Reply) -> Reply:
        """A reply with the names that members can type; what a book says stays as it is."""
        text = self.text(reply.text) if reply.kind is ReplyKind.NOTICE else reply.text
        return replace(reply, text=text, notes=tuple(map(self.text, reply.notes)))

"""Where one person sits: the thread that is open, and what the commands work with."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bot.cli.chat.screen import Screen
from bot.cli.chat.thread import Thread
from core.model import Filters, Question, Session

if TYPE_CHECKING:
    from core.wiring import Core


@dataclass(slots=True)
class Seat:
    """Changes as the person moves from thread to thread."""

    core: "Core"
    screen: Screen
    books: tuple[str, ...] = ()
    """The books named at the start; empty means what the thread reads."""
    thread: Thread = field(default_factory=Thread)
    listed: list[Session] = field(default_factory=list)
    """The threads as they were last listed, so that a number means what the person saw."""

    def question(self, text: str) -> Question:
        """A question asked here.

        Raises:
            QuestionError: a limit was broken.
        """
        return Question(text, key=self.thread.key, filters=Filters(books=self.books))

"""What was said to us, the same on every platform: a question with what it is about, or a wish."""

from dataclasses import dataclass, replace

from bot import wording
from bot.incoming import Incoming
from bot.reply import Reply
from bot.spoken import Spoken
from core.errors import QuestionError
from core.model import Question, Selection, SessionKey
from core.model.limits import MAX_QUESTION_CHARS


@dataclass(frozen=True, slots=True)
class Quoted:
    """What a question is about, and what the member should know about how it was read."""

    text: str | None = None
    selection: Selection = Selection.MESSAGE
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Heard:
    """What was said to us: an event to answer, or one whose reply is known already."""

    incoming: Incoming
    reply: Reply | None = None
    spoken: Spoken | None = None
    """A wish other than an answer, such as "mute"."""

    def as_changed(self, stamp: object) -> "Heard":
        """The same as an event of its own: the message was changed before it was answered, at *stamp*."""
        changed = replace(self.incoming, event_id=f"{self.incoming.event_id}:{stamp}")
        return replace(self, incoming=changed)


def stand_in(text: str, key: SessionKey) -> Question:
    """A question for the ledger where there is none to answer."""
    return Question(text[:MAX_QUESTION_CHARS] or "?", key=key)


def to_question(text: str, quoted: Quoted, key: SessionKey) -> tuple[Question, Reply | None]:
    """The question in *text*; where it cannot be asked, one that stands in for it and what to reply."""
    words = text or (wording.ABOUT_THIS if quoted.text else "")
    try:
        question = Question(words, selected_text=quoted.text, selection=quoted.selection, key=key)
    except QuestionError as error:
        told = Reply.failure(wording.for_error(error, reference=""), error)
        return stand_in(text, key), told if text else Reply.notice(wording.HELLO)
    return question, None

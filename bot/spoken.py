"""What a member's plain words ask for besides an answer: stop, keep quiet, forget, show a source (pure)."""

import re
from dataclasses import dataclass
from enum import StrEnum


class Wish(StrEnum):
    """What is wanted."""

    STOP = "stop"
    MUTE = "mute"
    UNMUTE = "unmute"
    FORGET = "forget"
    HELP = "help"
    SOURCE = "source"


@dataclass(frozen=True, slots=True)
class Spoken:
    """One wish. *number* is the footnote to show."""

    wish: Wish
    number: int = 0


# The whole message must say it: "how does mute work in JACK?" is a question.
_PHRASES = {
    Wish.STOP: r"(?:please )?(?:stop|cancel)(?: it| that| please)?",
    Wish.MUTE: r"(?:please )?(?:mute|be quiet|quiet)(?: please)?",
    Wish.UNMUTE: r"(?:please )?(?:unmute|listen again)(?: please)?",
    Wish.FORGET: r"(?:please )?forget(?: this| it| everything| this conversation)?",
    Wish.HELP: r"(?:help|help me|what can you do\??)",
}
_SOURCE = re.compile(
    r"(?:please )?(?:show|open|read)(?: me)? (?:the )?(?:source|footnote|passage) ?\[?(\d{1,2})\]?"
    r"|(?:source|footnote) \[?(\d{1,2})\]?|show \[(\d{1,2})\]"
)


def to_spoken(text: str) -> Spoken | None:
    """The wish a message consists of; None where it is a question."""
    said = " ".join(text.lower().split()).rstrip(".! ")
    for wish, phrase in _PHRASES.items():
        if re.fullmatch(phrase, said):
            return Spoken(wish)
    source = _SOURCE.fullmatch(said)
    if source is None:
        return None
    return Spoken(Wish.SOURCE, int(next(filter(None, source.groups()))))

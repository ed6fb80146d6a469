"""What a member's plain words ask for other than an answer: stop, forget, show a source, nothing (pure)."""

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
    GREETING = "greeting"
    THANKS = "thanks"
    NOTHING = "nothing"
    """Words said to go on, such as "ok": a reply would only be in the way."""


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
    Wish.GREETING: (
        r"(?:hi|hello|hey|good (?:morning|afternoon|evening)|greetings)(?: (?:there|all|bot|everyone|again))?"
    ),
    Wish.THANKS: (
        r"(?:(?:ok|okay|great|perfect|cool|nice|good|yes)[,!. ]+)?(?:many thanks|thanks|thank you|thx|cheers)"
        r"(?: a lot| so much| very much| again| everyone| for (?:the|your) (?:help|answer))?"
    ),
    Wish.NOTHING: (
        r"(?:ok|okay|oh|ah|aha|i see|got it|understood|great|perfect|cool|nice|awesome|lol|haha|right|exactly|"
        r"makes sense|never ?mind|sounds good|good (?:bot|answer|point)|well done|bye|goodbye|good ?night|see you)"
        r"(?:[,!. ]+(?:then|now|that makes sense|i see|got it|makes sense))?"
    ),
}
_SIGN = r"(?:<a?:\w+:\d+>|:[\w+'\-]+:|[^\w\s?\]])"
"""An emoji, as Discord and Slack write them, or punctuation; a question mark asks, a bracket may hold a number."""
_SIGNS_BEHIND = re.compile(rf"(?:\s*{_SIGN})+$")
MOST_CHARS = 100
"""Nobody wishes at length."""
_SOURCE = re.compile(
    r"(?:please )?(?:show|open|read)(?: me)? (?:the )?(?:source|footnote|passage) ?\[?(\d{1,2})\]?"
    r"|(?:source|footnote) \[?(\d{1,2})\]?|show \[(\d{1,2})\]"
)


def to_spoken(text: str) -> Spoken | None:
    """The wish a message consists of; None where it is a question."""
    if len(text) > MOST_CHARS or not text.strip():
        return None
    said = _SIGNS_BEHIND.sub("", " ".join(text.lower().split()))
    if not said:
        return Spoken(Wish.NOTHING)
    for wish, phrase in _PHRASES.items():
        if re.fullmatch(phrase, said):
            return Spoken(wish)
    source = _SOURCE.fullmatch(said)
    if source is None:
        return None
    return Spoken(Wish.SOURCE, int(next(filter(None, source.groups()))))

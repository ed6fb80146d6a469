"""What a button says when it is pressed: a verb and what it is about. It survives restarts (pure)."""

import re
from dataclasses import dataclass

_PATTERN = re.compile(r"fn:(?P<verb>[a-z]+)(?::(?P<about>.*))?", re.DOTALL)

UP, DOWN, AGAIN, STOP = "up", "down", "again", "stop"
SOURCE, SOURCES, SHARE, PAGE, ASK_ABOUT, WHY = "src", "sources", "share", "page", "about", "why"
FORGET = "forget"


@dataclass(frozen=True, slots=True)
class Press:
    """A button of ours that was pressed."""

    verb: str
    about: str


def to_custom_id(verb: str, *about: object) -> str:
    """At most 100 characters, as Discord wants it."""
    return ":".join(("fn", verb, *map(str, about)))


def from_custom_id(custom_id: str) -> Press | None:
    """What was pressed; None if the button is not ours."""
    found = _PATTERN.fullmatch(custom_id)
    return Press(found["verb"], found["about"] or "") if found else None


MARK_BITS = 6
"""How many parts a reply may have: 64."""


def to_mark(nonce: str, part: int) -> int:
    """A number that Discord keeps with a message's text, by which a restart knows its own half-sent reply."""
    return (int(nonce[:6], 16) << MARK_BITS) + part + 1


def part_of(mark: int | None, nonce: str) -> int | None:
    """Which part of the reply with this *nonce* a mark stands for; None for any other."""
    if mark is None or mark >> MARK_BITS != int(nonce[:6], 16):
        return None
    return (mark & (1 << MARK_BITS) - 1) - 1

"""Text without the characters that nobody sees: they hide instructions from people and words from checks."""

import re
import unicodedata

_HIDDEN = re.compile(
    "["
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"  # soft hyphen, joiners and fillers
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f"  # zero width, bidirectional overrides and isolates
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"  # fillers, variation selectors, byte order mark
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # musical controls; tags, which spell out whole invisible texts
    "]"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_EMOJI_BEFORE = re.compile("[\u2190-\u2bff\U0001f000-\U0001faff]")


def cleaned(text: str) -> str:
    """The text as people see it: nothing invisible, no control characters, composed forms.

    An emoji keeps its variation selector and joiner, which change what is seen.
    """
    if text.isascii():
        return _CONTROL.sub("", text)
    return _CONTROL.sub("", _HIDDEN.sub(_kept_in_emoji, unicodedata.normalize("NFC", text)))


def _kept_in_emoji(match: re.Match[str]) -> str:
    is_joiner = match[0] in "\u200d\ufe0f"
    before = match.string[match.start() - 1 : match.start()]
    return match[0] if is_joiner and before and _EMOJI_BEFORE.match(before) else ""

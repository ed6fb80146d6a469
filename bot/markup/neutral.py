"""What must never act in a chat: hidden characters, pings and addresses nobody vouched for."""

import re
from collections.abc import Mapping
from urllib.parse import urldefrag, urlsplit

ZERO_WIDTH = "\u200b"

# Control characters, and marks that turn the direction of a line so that it reads as something else.
_HIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
_EVERYBODY = re.compile(r"@(?=everyone|here|channel|group)", re.IGNORECASE)
ADDRESS = re.compile(
    r"(?:https?://|www\.|discord\.gg/|discord(?:app)?\.com/invite/)[^\s<>`\"|]*[^\s<>`\"|.,;:!?'”’)\]}*_~]",
    re.IGNORECASE,
)


def clean(text: str) -> str:
    """*text* without characters that nobody sees but a terminal or a chat obeys."""
    return _HIDDEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def without_pings(text: str) -> str:
    """*text* with @everyone and the like readable but deaf."""
    return _EVERYBODY.sub("@" + ZERO_WIDTH, text)


def without_runs(text: str, ticks: int) -> str:
    """*text* in which no *ticks* backticks stand together, so that it cannot end the code it stands in."""
    return re.sub(rf"`(?=`{{{ticks - 1}}})", "`" + ZERO_WIDTH, text)


def without_addresses(text: str) -> str:
    """*text* with its addresses readable but dead: a title with a living one would lead there."""
    return ADDRESS.sub(lambda found: found[0][0] + ZERO_WIDTH + found[0][1:], text)


def is_web_address(url: str) -> bool:
    """Whether *url* is a whole http or https address without a space in it."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not re.search(r"[\s<>|]", url)


def is_known(url: str, links: Mapping[int, str]) -> bool:
    """Whether *url* is a page that a footnote leads to."""
    page = urldefrag(url).url
    return is_web_address(url) and any(page == urldefrag(known).url for known in links.values())


def encoded(url: str) -> str:
    """*url* without the characters that end a link in any dialect."""
    for sign, code in (
        (" ", "%20"),
        ("(", "%28"),
        (")", "%29"),
        ("<", "%3C"),
        (">", "%3E"),
        ("|", "%7C"),
        ("\\", "%5C"),
    ):
        url = url.replace(sign, code)
    return url

"""Texts, bytes and documents that nobody would write by accident, and how many of them are tried."""

import io
import json
import os
import warnings
import zipfile
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

Test = TypeVar("Test", bound=Callable[..., Any])

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "40"))
"""Inputs of one property: few with the tests, thousands with `make fuzz`."""
SLOWEST_MS = 20_000
"""No input may keep a reader busy for longer, even on a machine that is busy itself."""

tried: dict[str, int] = {}
"""How many inputs each property has seen."""


def hostile(*, share: float = 1.0) -> Callable[[Test], Test]:
    """Try EXAMPLES inputs, or a *share* of them where one takes long. Stands below `given`."""

    def decorate(test: Test) -> Test:
        @wraps(test)
        def counted(*args: Any, **kwargs: Any) -> None:
            tried[test.__qualname__] = tried.get(test.__qualname__, 0) + 1
            test(*args, **kwargs)

        return settings(  # type: ignore[return-value]
            max_examples=max(10, round(EXAMPLES * share)),
            deadline=SLOWEST_MS,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=(Phase.explicit, Phase.generate, Phase.shrink),
        )(counted)

    return decorate


EVIL = "https://evil.example/x"
MENTIONS = ["@everyone", "@here", "<@1>", "<@!1>", "<@&9>", "<#7>", "</ask:1>", "<:smile:1>", "<t:1:R>"]
MENTIONS += ["<!channel>", "<!here>", "<!everyone>", "<!subteam^S1>", "<@U1>", "<@U1|ann>", "<#C1|general>"]
LINKS = [EVIL, f"<{EVIL}>", f"<{EVIL}|book>", f"[book]({EVIL})", f"![p]({EVIL})", "[x](javascript:alert(1))"]
LINKS += ["[x](data:text/html,hi)", "discord.gg/evil", "www.evil.example", f"[1]: {EVIL}", "[a][1]", "[[1]](x)"]
MARKUP = [
    "```",
    "```python\n",
    "~~~",
    "`",
    "``",
    "**",
    "*",
    "_",
    "__",
    "~~",
    "||",
    "> ",
    ">>> ",
    "# ",
    "-# ",
    "- ",
]
MARKUP += [
    "1. ",
    "| a | b |\n|---|---|\n",
    "|",
    "$$",
    "$x^2$",
    "\\(",
    "\\[",
    "\\",
    "[^1]",
    "[^1]: ",
    "---\n",
    "***",
]
MARKUP += [
    "[1]",
    "[2][3]",
    "[999]",
    "(",
    ")",
    "[",
    "]",
    "](",
    "{",
    "}",
    "{#id}",
    ":::tip\n",
    ":::",
    "&amp;",
    "&lt;",
]
TAGS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<b",
    "</b>",
    "<!--",
    "-->",
    "<details>",
    "<A ",
]
TAGS += [
    "<Tabs>",
    "<Tab label={`x`}>",
    "{/* x */}",
    "import X from 'x'\n",
    "export const x = 1\n",
    "<![CDATA[",
    "<?x",
]
TAGS += [
    "<table><tr><td>",
    "<pre><code>",
    "<math>",
    "<svg onload=x>",
    "<a href='javascript:x'>",
    "<style>",
    "<br/>",
]
ODD = [
    "\x00",
    "\x1b[31m",
    "\u202e",
    "\u200b",
    "\u2028",
    "\ufeff",
    "\ufffd",
    "é",
    "e\u0301",
    "👩🏽‍🔬",
    "🇩🇪",
    "𝒳",
    "ß",
]
ODD += ["\r\n", "\r", "\n", "\n\n", "\t", " ", "    ", "\u00a0", "\ud800", "²", "٣", "9" * 40, "a" * 300, ".", ":"]
PLAIN = [
    "word",
    "A node is a process.",
    "What is a topic?",
    "stop",
    "show source 2",
    "chapter:1-2",
    "limit:3",
    "book:x",
]

PIECES = st.sampled_from(MENTIONS + LINKS + MARKUP + TAGS + ODD + PLAIN + PLAIN)
TEXTS = st.one_of(st.lists(PIECES, max_size=40).map("".join), st.text(max_size=400))
"""What a stranger might write, surrogates included."""
SOUND_TEXTS = TEXTS.map(lambda text: text.encode(errors="replace").decode())
"""The same without halves of characters, which no file and no JSON of a platform holds."""
LINES = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)
BYTES = st.one_of(
    st.binary(max_size=600), SOUND_TEXTS.map(str.encode), TEXTS.map(lambda t: t.encode("utf-16", "replace"))
)

JSON: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(SOUND_TEXTS, inner, max_size=4)),
    max_leaves=12,
)
FRONT_LINES = ["title: x", "a: &b [*b]", "- 1", "? x", "!!python/object:os", "{", "a: 2020-99-99", "chapter: 3"]
FRONT_LINES += ["sidebar_position: -1", "level: Z9", "tier: 10**9", "\t", "x: |", "...", "id: 0x10", "d: 12:30:45"]
FRONT_MATTER = st.one_of(
    st.dictionaries(SOUND_TEXTS, JSON, max_size=5).map(lambda fields: json.dumps(fields, default=str)),
    st.lists(st.sampled_from(FRONT_LINES), max_size=8).map("\n".join),
)


@st.composite
def damaged(draw: st.DrawFn, whole: bytes) -> bytes:
    """*whole* with some bytes cut out, turned over or put in."""
    data = bytearray(whole)
    for _ in range(draw(st.integers(1, 6))):
        place = draw(st.integers(0, max(0, len(data) - 1)))
        kind = draw(st.sampled_from(["turn", "cut", "put", "end"]))
        if kind == "turn" and data:
            data[place] ^= draw(st.integers(1, 255))
        elif kind == "cut":
            del data[place : place + draw(st.integers(1, 40))]
        elif kind == "put":
            data[place:place] = draw(st.binary(max_size=20))
        else:
            del data[max(place, len(data) // 2) :]
    return bytes(data)


def zipped(entries: dict[str, bytes]) -> bytes:
    """A zip with these entries, whatever their names say."""
    packed = io.BytesIO()
    # A zip may hold one name twice, and only the library that writes it minds.
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return packed.getvalue()

"""What Discord's markdown and Slack's markdown block share: backslash escapes, and fences that cannot be left."""

import re

from bot.markup.neutral import ZERO_WIDTH, encoded, without_pings, without_runs
from bot.markup.rendering import Dialect

_SIGNS = re.compile(r"[\\*_~`|\[\]]")
_LINE_START = re.compile(r"^(\s*)(?=(?:[#>+=-]|-#)|\d{1,9}[.)](?:\s|$))")
_NUMBER_START = re.compile(r"^(\s*\d{1,9})([.)])(?=\s|$)")


class MarkdownDialect(Dialect):
    """Markdown with every sign of the text escaped."""

    def words(self, text: str) -> str:
        return without_pings(_SIGNS.sub(r"\\\g<0>", text))

    def strong(self, inside: str) -> str:
        return f"**{inside}**"

    def emphasis(self, inside: str) -> str:
        return f"*{inside}*"

    def strike(self, inside: str) -> str:
        return f"~~{inside}~~"

    def code(self, text: str) -> str:
        shown = deaf_code(text.replace("\n", " "))
        if not shown.strip():
            return shown
        if "`" not in shown:
            return f"`{shown}`"
        # Two ticks hold one; more inside are pulled apart, since no platform counts further.
        return f"`` {without_runs(shown, 2)} ``"

    def link(self, label: str, url: str) -> str:
        return f"[{label}]({encoded(url)})"

    def heading(self, level: int, inside: str) -> str:
        return f"{'#' * min(level, 3)} {inside}"

    def fence(self, text: str, language: str) -> str:
        return f"```{language}\n{without_runs(deaf_code(text), 3)}\n```"

    def quote(self, text: str) -> str:
        return "\n".join(f"> {line}" for line in text.split("\n"))

    def guarded(self, line: str) -> str:
        if _NUMBER_START.match(line):
            return _NUMBER_START.sub(r"\1\\\2", line)
        return _LINE_START.sub(r"\1\\", line)

    def after(self, before: str, text: str) -> str:
        # "[1]" and "(see …)" side by side must not become a link.
        return "\\" + text if before.endswith("]") and text.startswith("(") else text


def deaf_code(text: str) -> str:
    """Code in which a mention stays letters, whatever the platform does inside code."""
    return without_pings(re.sub(r"<(?=[@#!])", "<" + ZERO_WIDTH, text))

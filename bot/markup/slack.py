"""Slack's two languages: mrkdwn for sections and notices, Markdown for markdown blocks and streams."""

import re

from bot.markup.markdown import MarkdownDialect
from bot.markup.neutral import ZERO_WIDTH, encoded, without_pings, without_runs
from bot.markup.rendering import Dialect

_SHORTCODE = re.compile(r":(?=[a-z0-9_+'-]+:)")
# A sign that could begin or end a style: mrkdwn has no escape, and only tells by what stands beside it.
_STYLE = re.compile(r"(?<![A-Za-z0-9])([*_~])(?=\S)|(?<=\S)([*_~])(?![A-Za-z0-9])")
_TICK = "\u02cb"


def escape_mrkdwn(text: str) -> str:
    """*text* as Slack shows it letter by letter: no mention, no link, no emoji, no ping."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return without_pings(_SHORTCODE.sub(":\u2060", escaped))


class MrkdwnDialect(Dialect):
    """mrkdwn: stars once, links as <address|label>, no headings, no lists, no tables."""

    indent = "    "
    bullets = ("•", "◦", "▪")
    rule = "———"

    def words(self, text: str) -> str:
        loose = _STYLE.sub(lambda found: ZERO_WIDTH + found.group() + ZERO_WIDTH, text.replace("`", _TICK))
        return escape_mrkdwn(loose)

    def strong(self, inside: str) -> str:
        return f"*{inside}*"

    def emphasis(self, inside: str) -> str:
        return f"_{inside}_"

    def strike(self, inside: str) -> str:
        return f"~{inside}~"

    def code(self, text: str) -> str:
        shown = text.replace("\n", " ").replace("`", _TICK)
        return f"`{escape_mrkdwn(shown)}`" if shown.strip() else shown

    def link(self, label: str, url: str) -> str:
        return f"<{encoded(url).replace('&', '&amp;')}|{label.replace('|', '¦')}>"

    def heading(self, level: int, inside: str) -> str:
        return f"*{inside.replace('*', '')}*"

    def fence(self, text: str, language: str) -> str:
        return f"```\n{escape_mrkdwn(without_runs(text, 3))}\n```"

    def quote(self, text: str) -> str:
        return "\n".join(f"> {line}" for line in text.split("\n"))

    def guarded(self, line: str) -> str:
        # Slack reads an escaped ">" at the beginning of a line as a quote too.
        return ZERO_WIDTH + line if line.lstrip().startswith("&gt;") else line


class SlackMarkdownDialect(MarkdownDialect):
    """Markdown as Slack's markdown block and streams read it, its mentions switched off."""

    line_break = "  \n"

    def words(self, text: str) -> str:
        escaped = super().words(text.replace("&", "&amp;"))
        return _SHORTCODE.sub(":\u2060", escaped).replace("<", "&lt;")

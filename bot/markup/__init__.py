"""One document tree → each platform's markup. A reply's Markdown goes in, safe text comes out.

Marks [n] become links where *links* knows their address. No other address becomes a link, nothing pings
and nothing is lost: what cannot be shown as it is meant is shown as it is written.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from bot.markup.discord import DiscordDialect
from bot.markup.neutral import clean, encoded, is_web_address, without_addresses
from bot.markup.parsing import parse
from bot.markup.plain import PlainDialect
from bot.markup.slack import MrkdwnDialect, SlackMarkdownDialect

NO_LINKS: Mapping[int, str] = MappingProxyType({})

__all__ = [
    "NO_LINKS",
    "clean",
    "discord_link",
    "escape_discord",
    "escape_markdown",
    "escape_mrkdwn",
    "mrkdwn_link",
    "to_discord",
    "to_mrkdwn",
    "to_plain",
    "to_slack_markdown",
]


def to_discord(markdown: str, links: Mapping[int, str] = NO_LINKS) -> str:
    """*markdown* for a Discord message."""
    return DiscordDialect(links).render(parse(markdown))


def to_mrkdwn(markdown: str, links: Mapping[int, str] = NO_LINKS) -> str:
    """*markdown* for Slack's text fields and section blocks."""
    return MrkdwnDialect(links).render(parse(markdown))


def to_slack_markdown(markdown: str, links: Mapping[int, str] = NO_LINKS) -> str:
    """*markdown* for Slack's markdown block and streams."""
    return SlackMarkdownDialect(links).render(parse(markdown))


def to_plain(markdown: str, links: Mapping[int, str] = NO_LINKS) -> str:
    """*markdown* for a terminal or a notification."""
    return PlainDialect(links).render(parse(markdown))


def escape_markdown(text: str) -> str:
    """One line of plain words to stand in Markdown that is rendered later."""
    escaped = re.sub(r"[\\`*_{}<>#+\-.!|~&$:=]", r"\\\g<0>", _one_line(text))
    # A backslash before a bracket would begin a formula.
    return re.sub(r"[\[\]()]", lambda found: f"&#{ord(found.group())};", escaped)


def escape_discord(text: str) -> str:
    """One line of plain words (a title, a name) that Discord shows letter by letter."""
    return DiscordDialect(NO_LINKS).words(without_addresses(_one_line(text)))


def escape_mrkdwn(text: str) -> str:
    """One line of plain words that Slack shows letter by letter."""
    return MrkdwnDialect(NO_LINKS).words(without_addresses(_one_line(text)))


def discord_link(label: str, url: str) -> str:
    """A link without a preview; the label alone where *url* is no web address."""
    shown = escape_discord(label)
    return DiscordDialect(NO_LINKS).link(shown, url) if is_web_address(encoded(url)) else shown


def mrkdwn_link(label: str, url: str) -> str:
    """A link in Slack's words; the label alone where *url* is no web address."""
    shown = escape_mrkdwn(label)
    return MrkdwnDialect(NO_LINKS).link(shown, url) if is_web_address(encoded(url)) else shown


def _one_line(text: str) -> str:
    return " ".join(clean(text).split())

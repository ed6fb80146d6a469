"""Keys and tokens: whether they have the form they must have. They are never shown, and nothing is called."""

import re
from urllib.parse import urlsplit

from bot.cli.doctor.check import Check
from core.settings import Settings

_DISCORD = re.compile(r"[\w-]{20,}\.[\w-]{4,}\.[\w-]{20,}")


def check_keys(settings: Settings) -> list[Check]:
    """One check for each service, set or not."""
    return [_discord(settings), _slack(settings), _model(settings), _cohere(settings)]


def _discord(settings: Settings) -> Check:
    if not settings.discord_token:
        return Check.ok("discord", "no token; Discord is not served")
    if not _DISCORD.fullmatch(settings.discord_token):
        return Check.broken(
            "discord",
            f"DISCORD_TOKEN does not look like a bot token {_shape(settings.discord_token)}",
            "Copy it again: Developer Portal → your application → Bot → Reset Token.",
        )
    return Check.ok("discord", "token well-formed")


def _slack(settings: Settings) -> Check:
    if not settings.slack_bot_token:
        return Check.ok("slack", "no tokens; Slack is not served")
    if not all(token.strip().startswith("xoxb-") for token in settings.slack_bot_token.split(",")):
        return Check.broken(
            "slack", "SLACK_BOT_TOKEN does not begin with xoxb-", "Copy it from OAuth & Permissions of your app."
        )
    if settings.slack_app_token and not settings.slack_app_token.startswith("xapp-"):
        return Check.broken(
            "slack",
            "SLACK_APP_TOKEN does not begin with xapp-",
            "Make one under Basic Information → App-Level Tokens, with the scope connections:write.",
        )
    return Check.ok("slack", "tokens well-formed")


def _model(settings: Settings) -> Check:
    if not settings.has_model:
        return Check.ok("model", "no key; answers quote the book")
    if settings.openai_base_url:
        # The host alone: an address may carry a password.
        return Check.ok("model", f"{settings.openai_model} at {urlsplit(settings.openai_base_url).hostname}")
    if not (settings.openai_api_key or "").startswith("sk-"):
        return Check.warning(
            "model",
            f"OPENAI_API_KEY does not begin with sk- {_shape(settings.openai_api_key or '')}",
            "Copy it again, or set OPENAI_BASE_URL if it is another service's key.",
        )
    return Check.ok("model", f"{settings.openai_model}, key well-formed")


def _cohere(settings: Settings) -> Check:
    if not settings.cohere_api_key:
        return Check.ok("cohere", "no key; not used")
    if len(settings.cohere_api_key) < 20:
        return Check.warning(
            "cohere", f"COHERE_API_KEY is very short {_shape(settings.cohere_api_key)}", "Copy it again."
        )
    return Check.ok("cohere", "key well-formed")


def _shape(secret: str) -> str:
    """What may be said of a secret: how long it is, and whether something slipped in with it."""
    has_space = " with a space in it" if re.search(r"\s", secret) else ""
    has_quote = " with a quotation mark in it" if set(secret) & set("\"'") else ""
    return f"({len(secret)} characters{has_space}{has_quote})"

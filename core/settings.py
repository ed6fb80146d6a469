"""The environment, read once into one frozen object, every problem named at once."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from core import setting_values as read
from core.env_file import read_env_file
from core.errors import SettingsError
from core.platform_settings import PlatformSettings
from core.setting_values import setting


@dataclass(frozen=True, slots=True)
class Settings(PlatformSettings):
    """Everything an operator can choose. Secrets never appear in its repr."""

    data_dir: Path = setting(
        "FOOTNOTE_DATA_DIR", Path, Path("footnote-data"), "Folder for everything the bot stores."
    )
    port: int = setting("FOOTNOTE_PORT", read.whole(1, 65535), 8765, "Port of the page and the HTTP API.")
    host: str = setting(
        "FOOTNOTE_HOST",
        read.text,
        "127.0.0.1",
        "Address the page listens on; beyond this machine it needs a token.",
    )
    web_token: str | None = setting(
        "FOOTNOTE_WEB_TOKEN", read.text, None, "Token that the page and the API ask for.", is_secret=True
    )
    public_url: str | None = setting(
        "FOOTNOTE_PUBLIC_URL",
        read.url,
        None,
        "Address at which members reach the page; footnotes in chats then lead there for books without a site.",
    )
    opens_browser: bool = setting(
        "FOOTNOTE_OPEN_BROWSER", read.flag, True, "Open the page in the browser at start (1 or 0)."
    )
    log_level: str = setting(
        "FOOTNOTE_LOG_LEVEL", read.choice("debug", "info", "warning", "error"), "info", "How much is logged."
    )
    log_format: str = setting(
        "FOOTNOTE_LOG_FORMAT", read.choice("text", "json"), "text", "Log lines for people, or as JSON."
    )
    keep_days: int = setting(
        "FOOTNOTE_KEEP_DAYS",
        read.whole(0, 36500),
        0,
        "Days after which conversations and finished turns are deleted for good; 0 keeps them.",
    )
    reads_private_sites: bool = setting(
        "FOOTNOTE_PRIVATE_SITES",
        read.flag,
        False,
        "Let leaders add books from addresses in your own network (1 or 0).",
    )
    member_per_minute: int = setting(
        "FOOTNOTE_MEMBER_PER_MINUTE",
        read.whole(0, 100_000),
        100,
        "Questions and searches a member may ask a minute; 0 = any.",
    )
    group_per_minute: int = setting(
        "FOOTNOTE_GROUP_PER_MINUTE", read.whole(0, 100_000), 100, "The same for a whole server or workspace."
    )
    member_per_day: int = setting(
        "FOOTNOTE_MEMBER_PER_DAY",
        read.whole(0, 1_000_000),
        0,
        "Questions a day that the model answers for one member; beyond, answers quote the book. 0 = any.",
    )
    group_per_day: int = setting(
        "FOOTNOTE_GROUP_PER_DAY", read.whole(0, 1_000_000), 0, "The same for a whole server or workspace; 0 = any."
    )
    member_tokens_per_day: int = setting(
        "FOOTNOTE_MEMBER_TOKENS_PER_DAY",
        read.whole(0, 10**12),
        0,
        "Model tokens a day for one member; beyond, answers quote the book. 0 = any.",
    )
    group_tokens_per_day: int = setting(
        "FOOTNOTE_GROUP_TOKENS_PER_DAY",
        read.whole(0, 10**12),
        0,
        "The same for a whole server or workspace; 0 = any.",
    )
    group_dollars_per_day: float = setting(
        "FOOTNOTE_GROUP_DOLLARS_PER_DAY", read.amount, 0.0, "The same in US dollars; 0 = any."
    )
    answers_at_once: int = setting(
        "FOOTNOTE_ANSWERS_AT_ONCE", read.whole(1, 1000), 8, "How many questions are answered at the same time."
    )
    join_seconds: float = setting(
        "FOOTNOTE_JOIN_SECONDS",
        read.amount,
        1.5,
        "In conversations, how long to wait for more before answering; messages sent meanwhile are one question.",
    )
    catch_up_hours: int = setting(
        "FOOTNOTE_CATCH_UP_HOURS",
        read.whole(0, 24 * 14),
        24,
        "Questions asked while the bot was away are answered if they are not older than this; 0 = never.",
    )

    @classmethod
    def from_env(cls, environ: Mapping[str, str], *, env_file: Path | None = None) -> "Settings":
        """Read *environ*, then *env_file* for what it does not say.

        Raises:
            SettingsError: one line for each variable that cannot be used, with its name and what it must be.
        """
        known = [each.metadata["variable"] for each in fields(cls)]
        written, problems = read_env_file(env_file, known) if env_file and env_file.is_file() else ({}, [])
        values: dict[str, Any] = {}
        for each in fields(cls):
            name = each.metadata["variable"]
            raw = (environ.get(name) or "").strip() or (written.get(name) or "").strip()
            if not raw:
                continue
            try:
                values[each.name] = each.metadata["read"](raw)
            except ValueError as problem:
                shown = "the value given" if each.metadata["is_secret"] else repr(raw[:80])
                problems.append(f"{name} {problem}; found {shown}.")
        settings = cls(**values)
        problems += settings._contradictions()
        if problems:
            raise SettingsError("\n".join(problems), details={"problems": problems})
        return settings

    def _contradictions(self) -> list[str]:
        """What each variable allows alone but not together."""
        found = []
        if self.slack_bot_token and not (self.slack_app_token or self.slack_signing_secret):
            found.append("SLACK_APP_TOKEN is missing: Slack needs it beside SLACK_BOT_TOKEN.")
        if (self.slack_app_token or self.slack_signing_secret) and not self.slack_bot_token:
            found.append("SLACK_BOT_TOKEN is missing: Slack needs it beside SLACK_APP_TOKEN.")
        if self.is_called_by_slack and self.slack_http_port == self.port:
            found.append("SLACK_HTTP_PORT is the same as FOOTNOTE_PORT: Slack's calls need a port of their own.")
        if self.embedder == "openai" and not (self.openai_api_key or self.openai_base_url):
            found.append("OPENAI_API_KEY is missing: FOOTNOTE_EMBEDDER=openai needs it.")
        if self.embedder == "cohere" and not self.cohere_api_key:
            found.append("COHERE_API_KEY is missing: FOOTNOTE_EMBEDDER=cohere needs it.")
        if self.reranker == "cohere" and not self.cohere_api_key:
            found.append("COHERE_API_KEY is missing: FOOTNOTE_RERANKER=cohere needs it.")
        if self.host not in {"127.0.0.1", "localhost", "::1"} and not self.web_token:
            found.append("FOOTNOTE_WEB_TOKEN is missing: listening beyond this machine (FOOTNOTE_HOST) needs it.")
        return found

    @property
    def secrets(self) -> tuple[str, ...]:
        """Every secret in use, for redaction: each of several in one variable, and passwords in addresses."""
        named = (getattr(self, each.name) or "" for each in fields(self) if each.metadata["is_secret"])
        alone = [secret.strip() for several in named for secret in several.split(",") if secret.strip()]
        addresses = (value for each in fields(self) if isinstance(value := getattr(self, each.name), str))
        return (*alone, *(password for address in addresses if (password := _password_in(address))))

    @property
    def is_called_by_slack(self) -> bool:
        """Slack calls us over HTTP, instead of our holding a connection to it."""
        return bool(self.slack_bot_token and self.slack_signing_secret and not self.slack_app_token)

    @property
    def has_model(self) -> bool:
        return bool(self.openai_api_key or self.openai_base_url)


def _password_in(address: str) -> str | None:
    try:
        return urlsplit(address).password if "://" in address else None
    except ValueError:
        return None

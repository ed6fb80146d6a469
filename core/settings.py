"""The environment, read once into one frozen object, every problem named at once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from dotenv import dotenv_values

from core.errors import SettingsError

T = TypeVar("T")


def _text(raw: str) -> str:
    return raw


def _flag(raw: str) -> bool:
    yes, no = {"1", "true", "yes", "on"}, {"0", "false", "no", "off"}
    if raw.lower() in yes | no:
        return raw.lower() in yes
    raise ValueError("must be 1 or 0")


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(raw: str) -> int:
        if not raw.lstrip("-").isdigit() or not least <= int(raw) <= most:
            raise ValueError(f"must be a whole number from {least} to {most}")
        return int(raw)

    return read


def _share(raw: str) -> float:
    try:
        value = float(raw)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:
        raise ValueError("must be a number from 0 to 1")
    return value


def _price(raw: str) -> float:
    try:
        value = float(raw)
    except ValueError:
        value = -1.0
    if not 0.0 <= value < float("inf"):
        raise ValueError("must be a price in US dollars, such as 0.15")
    return value


def _temperature(raw: str) -> str:
    if raw.lower() == "off":
        return "off"
    try:
        value = float(raw)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 2.0:
        raise ValueError("must be a number from 0 to 2, or off")
    return raw


def _amount(raw: str) -> float:
    try:
        value = float(raw)
    except ValueError:
        value = -1.0
    if not 0.0 <= value < 1e9:
        raise ValueError("must be a number, 0 or more")
    return value


_NONE: tuple[str, ...] = ()


def _words(raw: str) -> tuple[str, ...]:
    return tuple(word for word in raw.replace(",", " ").split() if word)


def _url(raw: str) -> str:
    parts = urlsplit(raw)
    if parts.scheme not in {"http", "https", "ws", "wss"} or not parts.hostname:
        raise ValueError("must be a full address such as https://example.org")
    return raw


def _choice(*words: str) -> Callable[[str], str]:
    def read(raw: str) -> str:
        if raw.lower() not in words:
            raise ValueError(f"must be one of {', '.join(words)}")
        return raw.lower()

    return read


def _setting(
    variable: str, read: Callable[[str], T], default: T, explained: str, *, is_secret: bool = False
) -> Any:  # dataclass fields carry the default's type to the class annotation
    meta = {"variable": variable, "read": read, "explained": explained, "is_secret": is_secret}
    return field(default=default, repr=not is_secret, metadata=meta)


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything an operator can choose. Secrets never appear in its repr."""

    data_dir: Path = _setting(
        "FOOTNOTE_DATA_DIR", Path, Path("footnote-data"), "Folder for everything the bot stores."
    )
    port: int = _setting("FOOTNOTE_PORT", _whole(1, 65535), 8765, "Port of the page and the HTTP API.")
    host: str = _setting(
        "FOOTNOTE_HOST", _text, "127.0.0.1", "Address the page listens on; beyond this machine it needs a token."
    )
    web_token: str | None = _setting(
        "FOOTNOTE_WEB_TOKEN", _text, None, "Token that the page and the API ask for.", is_secret=True
    )
    opens_browser: bool = _setting(
        "FOOTNOTE_OPEN_BROWSER", _flag, True, "Open the page in the browser at start (1 or 0)."
    )
    log_level: str = _setting(
        "FOOTNOTE_LOG_LEVEL", _choice("debug", "info", "warning", "error"), "info", "How much is logged."
    )
    embedder: str = _setting(
        "FOOTNOTE_EMBEDDER",
        _choice("auto", "embedded", "static", "openai", "cohere"),
        "auto",
        "Embedding model: embedded (English), static (English, about 300 times faster, less exact), openai or "
        "cohere (any language); auto means embedded.",
    )
    reranks: bool = _setting("FOOTNOTE_RERANK", _flag, True, "Read the best sentences twice before answering.")
    threads: int = _setting("FOOTNOTE_THREADS", _whole(0, 256), 0, "Processor threads for the models; 0 = all.")
    discord_token: str | None = _setting(
        "DISCORD_TOKEN", _text, None, "Bot token of your Discord application.", is_secret=True
    )
    slack_bot_token: str | None = _setting(
        "SLACK_BOT_TOKEN", _text, None, "Bot token of your Slack app (xoxb-…).", is_secret=True
    )
    slack_app_token: str | None = _setting(
        "SLACK_APP_TOKEN", _text, None, "App-level token of your Slack app (xapp-…).", is_secret=True
    )
    openai_api_key: str | None = _setting(
        "OPENAI_API_KEY", _text, None, "Key for the answering model.", is_secret=True
    )
    openai_base_url: str | None = _setting(
        "OPENAI_BASE_URL", _url, None, "Any OpenAI-compatible server: Ollama, vLLM, llama.cpp, OpenRouter, Azure."
    )
    openai_model: str = _setting("OPENAI_MODEL", _text, "gpt-6-luna", "Name of the answering model.")
    openai_temperature: str | None = _setting(
        "OPENAI_TEMPERATURE", _temperature, None, "0 to 2, or off to send none; empty means what suits the model."
    )
    openai_reasoning_effort: str | None = _setting(
        "OPENAI_REASONING_EFFORT",
        _choice("off", "none", "minimal", "low", "medium", "high", "xhigh", "max"),
        None,
        "How long the model thinks, or off to send nothing; empty means what suits the model.",
    )
    openai_timeout_seconds: int = _setting(
        "OPENAI_TIMEOUT", _whole(1, 600), 30, "Seconds one request to the model may stand still."
    )
    openai_retries: int = _setting(
        "OPENAI_MAX_RETRIES", _whole(0, 10), 2, "How often a failed request is repeated."
    )
    openai_price_input: float | None = _setting(
        "OPENAI_PRICE_INPUT", _price, None, "US dollars per million tokens read, where Footnote does not know it."
    )
    openai_price_output: float | None = _setting(
        "OPENAI_PRICE_OUTPUT", _price, None, "US dollars per million tokens written."
    )
    answer_seconds: int = _setting(
        "FOOTNOTE_ANSWER_SECONDS",
        _whole(5, 600),
        60,
        "After so many seconds the book is quoted without the model.",
    )
    openai_embedding_model: str = _setting(
        "OPENAI_EMBEDDING_MODEL", _text, "text-embedding-3-small", "OpenAI's model where FOOTNOTE_EMBEDDER=openai."
    )
    cohere_api_key: str | None = _setting(
        "COHERE_API_KEY", _text, None, "Key for Cohere embeddings.", is_secret=True
    )
    cohere_model: str = _setting(
        "COHERE_MODEL", _text, "embed-english-v3.0", "Cohere's model where FOOTNOTE_EMBEDDER=cohere."
    )
    cohere_base_url: str | None = _setting(
        "COHERE_BASE_URL", _url, None, "Another Cohere address, for local servers."
    )
    reranker: str = _setting(
        "FOOTNOTE_RERANKER", _choice("embedded", "cohere"), "embedded", "What reads the best sentences twice."
    )
    cohere_rerank_model: str = _setting(
        "COHERE_RERANK_MODEL", _text, "rerank-v5.0-fast", "Cohere's model where FOOTNOTE_RERANKER=cohere."
    )
    qdrant_url: str | None = _setting(
        "QDRANT_URL", _url, None, "A Qdrant server; without one the index is embedded."
    )
    qdrant_api_key: str | None = _setting(
        "QDRANT_API_KEY", _text, None, "Key of that Qdrant server.", is_secret=True
    )
    qdrant_collection: str = _setting(
        "QDRANT_COLLECTION_NAME", _text, "footnote", "Collection on the Qdrant server."
    )
    top_k: int = _setting("AGENT_TOP_K", _whole(1, 20), 5, "Passages an answer may draw on, 1 to 20.")
    score_threshold: float = _setting(
        "AGENT_SCORE_THRESHOLD", _share, 0.0, "Similarity below which a passage is left out, 0 to 1."
    )
    max_turns: int = _setting(
        "AGENT_MAX_TURNS", _whole(1, 50), 20, "Earlier turns of a conversation that the model is shown."
    )
    member_per_minute: int = _setting(
        "FOOTNOTE_MEMBER_PER_MINUTE",
        _whole(0, 100_000),
        100,
        "Questions and searches a member may ask a minute; 0 = any.",
    )
    group_per_minute: int = _setting(
        "FOOTNOTE_GROUP_PER_MINUTE", _whole(0, 100_000), 100, "The same for a whole server or workspace."
    )
    member_per_day: int = _setting(
        "FOOTNOTE_MEMBER_PER_DAY", _whole(0, 1_000_000), 0, "Questions a member may ask a day; 0 = any."
    )
    group_tokens_per_day: int = _setting(
        "FOOTNOTE_GROUP_TOKENS_PER_DAY",
        _whole(0, 10**12),
        0,
        "Model tokens a group may use a day; beyond, answers quote the book without the model. 0 = any.",
    )
    group_dollars_per_day: float = _setting(
        "FOOTNOTE_GROUP_DOLLARS_PER_DAY", _amount, 0.0, "The same in US dollars; 0 = any."
    )
    answers_at_once: int = _setting(
        "FOOTNOTE_ANSWERS_AT_ONCE", _whole(1, 1000), 8, "How many questions are answered at the same time."
    )
    join_seconds: float = _setting(
        "FOOTNOTE_JOIN_SECONDS",
        _amount,
        1.5,
        "In conversations, how long to wait for more before answering; messages sent meanwhile are one question.",
    )
    catch_up_hours: int = _setting(
        "FOOTNOTE_CATCH_UP_HOURS",
        _whole(0, 24 * 14),
        24,
        "Questions asked while the bot was away are answered if they are not older than this; 0 = never.",
    )
    discord_channels: tuple[str, ...] = _setting(
        "DISCORD_CHANNELS", _words, _NONE, "Ids of the only channels to answer in, with commas; empty = all."
    )
    discord_roles: tuple[str, ...] = _setting(
        "DISCORD_ROLES", _words, _NONE, "Ids of the only roles that may ask, with commas; empty = everybody."
    )
    discord_leader_roles: tuple[str, ...] = _setting(
        "DISCORD_LEADER_ROLES", _words, _NONE, "Ids of roles that lead, besides those who may manage the server."
    )
    discord_api_base: str | None = _setting(
        "DISCORD_API_BASE", _url, None, "Another Discord REST address, for local servers."
    )
    discord_gateway_url: str | None = _setting(
        "DISCORD_GATEWAY_URL", _url, None, "Another Discord gateway, for local servers."
    )
    slack_api_url: str | None = _setting(
        "SLACK_API_URL", _url, None, "Another Slack API address, for local servers."
    )

    @classmethod
    def from_env(cls, environ: Mapping[str, str], *, env_file: Path | None = None) -> "Settings":
        """Read *environ*, then *env_file* for what it does not say.

        Raises:
            SettingsError: one line for each variable that cannot be used, with its name and what it must be.
        """
        written = dotenv_values(env_file) if env_file and env_file.is_file() else {}
        values: dict[str, Any] = {}
        problems: list[str] = []
        for each in fields(cls):
            name = each.metadata["variable"]
            raw = (environ.get(name) or written.get(name) or "").strip()
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
        if self.slack_bot_token and not self.slack_app_token:
            found.append("SLACK_APP_TOKEN is missing: Slack needs it beside SLACK_BOT_TOKEN.")
        if self.slack_app_token and not self.slack_bot_token:
            found.append("SLACK_BOT_TOKEN is missing: Slack needs it beside SLACK_APP_TOKEN.")
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
        """Every secret in use, for redaction."""
        named = (getattr(self, each.name) for each in fields(self) if each.metadata["is_secret"])
        return tuple(secret for secret in named if secret)

    @property
    def has_model(self) -> bool:
        return bool(self.openai_api_key or self.openai_base_url)


def described_settings() -> list[tuple[str, str, str]]:
    """Variable, default and explanation of every setting, for the docs and the example file."""
    return [
        (each.metadata["variable"], _shown_default(each.default), each.metadata["explained"])
        for each in fields(Settings)
    ]


def _shown_default(default: object) -> str:
    if default is None:
        return ""
    if isinstance(default, bool):
        return "1" if default else "0"
    if isinstance(default, tuple):
        return ",".join(default)
    return str(default)

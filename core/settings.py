"""The environment, read once into one frozen object, every problem named at once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

from dotenv import dotenv_values

from core import setting_values as read
from core.errors import SettingsError

T = TypeVar("T")


_NONE: tuple[str, ...] = ()


def _setting(
    variable: str, reader: Callable[[str], T], default: T, explained: str, *, is_secret: bool = False
) -> Any:  # dataclass fields carry the default's type to the class annotation
    meta = {"variable": variable, "read": reader, "explained": explained, "is_secret": is_secret}
    return field(default=default, repr=not is_secret, metadata=meta)


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything an operator can choose. Secrets never appear in its repr."""

    data_dir: Path = _setting(
        "FOOTNOTE_DATA_DIR", Path, Path("footnote-data"), "Folder for everything the bot stores."
    )
    port: int = _setting("FOOTNOTE_PORT", read.whole(1, 65535), 8765, "Port of the page and the HTTP API.")
    host: str = _setting(
        "FOOTNOTE_HOST",
        read.text,
        "127.0.0.1",
        "Address the page listens on; beyond this machine it needs a token.",
    )
    web_token: str | None = _setting(
        "FOOTNOTE_WEB_TOKEN", read.text, None, "Token that the page and the API ask for.", is_secret=True
    )
    opens_browser: bool = _setting(
        "FOOTNOTE_OPEN_BROWSER", read.flag, True, "Open the page in the browser at start (1 or 0)."
    )
    log_level: str = _setting(
        "FOOTNOTE_LOG_LEVEL", read.choice("debug", "info", "warning", "error"), "info", "How much is logged."
    )
    log_format: str = _setting(
        "FOOTNOTE_LOG_FORMAT", read.choice("text", "json"), "text", "Log lines for people, or as JSON."
    )
    keep_days: int = _setting(
        "FOOTNOTE_KEEP_DAYS",
        read.whole(0, 36500),
        0,
        "Days after which conversations and finished turns are deleted for good; 0 keeps them.",
    )
    reads_private_sites: bool = _setting(
        "FOOTNOTE_PRIVATE_SITES",
        read.flag,
        False,
        "Let leaders add books from addresses in your own network (1 or 0).",
    )
    embedder: str = _setting(
        "FOOTNOTE_EMBEDDER",
        read.choice("auto", "embedded", "static", "openai", "cohere"),
        "auto",
        "Embedding model: embedded (English), static (English, about 300 times faster, less exact), openai or "
        "cohere (any language); auto means embedded.",
    )
    reranks: bool = _setting("FOOTNOTE_RERANK", read.flag, True, "Read the best sentences twice before answering.")
    threads: int = _setting(
        "FOOTNOTE_THREADS", read.whole(0, 256), 0, "Processor threads for the models; 0 = all."
    )
    discord_token: str | None = _setting(
        "DISCORD_TOKEN", read.text, None, "Bot token of your Discord application.", is_secret=True
    )
    slack_bot_token: str | None = _setting(
        "SLACK_BOT_TOKEN",
        read.text,
        None,
        "Bot token of your Slack app (xoxb-…); for several workspaces one each, with commas.",
        is_secret=True,
    )
    slack_app_token: str | None = _setting(
        "SLACK_APP_TOKEN", read.text, None, "App-level token of your Slack app (xapp-…).", is_secret=True
    )
    slack_signing_secret: str | None = _setting(
        "SLACK_SIGNING_SECRET",
        read.text,
        None,
        "Signing secret of your Slack app; without SLACK_APP_TOKEN, Slack then calls us over HTTP.",
        is_secret=True,
    )
    slack_http_port: int = _setting(
        "SLACK_HTTP_PORT", read.whole(1, 65535), 3000, "Port for Slack's calls where it calls us over HTTP."
    )
    openai_api_key: str | None = _setting(
        "OPENAI_API_KEY", read.text, None, "Key for the answering model.", is_secret=True
    )
    openai_base_url: str | None = _setting(
        "OPENAI_BASE_URL",
        read.url,
        None,
        "Any OpenAI-compatible server: Ollama, vLLM, llama.cpp, OpenRouter, Azure.",
    )
    openai_model: str = _setting("OPENAI_MODEL", read.text, "gpt-6-luna", "Name of the answering model.")
    openai_temperature: str | None = _setting(
        "OPENAI_TEMPERATURE",
        read.temperature,
        None,
        "0 to 2, or off to send none; empty means what suits the model.",
    )
    openai_reasoning_effort: str | None = _setting(
        "OPENAI_REASONING_EFFORT",
        read.choice("off", "none", "minimal", "low", "medium", "high", "xhigh", "max"),
        None,
        "How long the model thinks, or off to send nothing; empty means what suits the model.",
    )
    openai_timeout_seconds: int = _setting(
        "OPENAI_TIMEOUT", read.whole(1, 600), 30, "Seconds one request to the model may stand still."
    )
    openai_retries: int = _setting(
        "OPENAI_MAX_RETRIES", read.whole(0, 10), 2, "How often a failed request is repeated."
    )
    openai_price_input: float | None = _setting(
        "OPENAI_PRICE_INPUT",
        read.price,
        None,
        "US dollars per million tokens read, where Footnote does not know it.",
    )
    openai_price_output: float | None = _setting(
        "OPENAI_PRICE_OUTPUT", read.price, None, "US dollars per million tokens written."
    )
    answer_seconds: int = _setting(
        "FOOTNOTE_ANSWER_SECONDS",
        read.whole(5, 600),
        60,
        "After so many seconds the book is quoted without the model.",
    )
    openai_embedding_model: str = _setting(
        "OPENAI_EMBEDDING_MODEL",
        read.text,
        "text-embedding-3-small",
        "OpenAI's model where FOOTNOTE_EMBEDDER=openai.",
    )
    cohere_api_key: str | None = _setting(
        "COHERE_API_KEY", read.text, None, "Key for Cohere embeddings.", is_secret=True
    )
    cohere_model: str = _setting(
        "COHERE_MODEL", read.text, "embed-english-v3.0", "Cohere's model where FOOTNOTE_EMBEDDER=cohere."
    )
    cohere_base_url: str | None = _setting(
        "COHERE_BASE_URL", read.url, None, "Another Cohere address, for local servers."
    )
    reranker: str = _setting(
        "FOOTNOTE_RERANKER", read.choice("embedded", "cohere"), "embedded", "What reads the best sentences twice."
    )
    cohere_rerank_model: str = _setting(
        "COHERE_RERANK_MODEL", read.text, "rerank-v5.0-fast", "Cohere's model where FOOTNOTE_RERANKER=cohere."
    )
    qdrant_url: str | None = _setting(
        "QDRANT_URL", read.url, None, "A Qdrant server; without one the index is embedded."
    )
    qdrant_api_key: str | None = _setting(
        "QDRANT_API_KEY", read.text, None, "Key of that Qdrant server.", is_secret=True
    )
    qdrant_collection: str = _setting(
        "QDRANT_COLLECTION_NAME", read.text, "footnote", "Collection on the Qdrant server."
    )
    top_k: int = _setting("AGENT_TOP_K", read.whole(1, 20), 5, "Passages an answer may draw on, 1 to 20.")
    score_threshold: float = _setting(
        "AGENT_SCORE_THRESHOLD", read.share, 0.0, "Similarity below which a passage is left out, 0 to 1."
    )
    max_turns: int = _setting(
        "AGENT_MAX_TURNS",
        read.whole(1, 20),
        20,
        "Earlier turns of a conversation that the model is shown, 1 to 20.",
    )
    member_per_minute: int = _setting(
        "FOOTNOTE_MEMBER_PER_MINUTE",
        read.whole(0, 100_000),
        100,
        "Questions and searches a member may ask a minute; 0 = any.",
    )
    group_per_minute: int = _setting(
        "FOOTNOTE_GROUP_PER_MINUTE", read.whole(0, 100_000), 100, "The same for a whole server or workspace."
    )
    member_per_day: int = _setting(
        "FOOTNOTE_MEMBER_PER_DAY", read.whole(0, 1_000_000), 0, "Questions a member may ask a day; 0 = any."
    )
    group_tokens_per_day: int = _setting(
        "FOOTNOTE_GROUP_TOKENS_PER_DAY",
        read.whole(0, 10**12),
        0,
        "Model tokens a group may use a day; beyond, answers quote the book without the model. 0 = any.",
    )
    group_dollars_per_day: float = _setting(
        "FOOTNOTE_GROUP_DOLLARS_PER_DAY", read.amount, 0.0, "The same in US dollars; 0 = any."
    )
    answers_at_once: int = _setting(
        "FOOTNOTE_ANSWERS_AT_ONCE", read.whole(1, 1000), 8, "How many questions are answered at the same time."
    )
    join_seconds: float = _setting(
        "FOOTNOTE_JOIN_SECONDS",
        read.amount,
        1.5,
        "In conversations, how long to wait for more before answering; messages sent meanwhile are one question.",
    )
    catch_up_hours: int = _setting(
        "FOOTNOTE_CATCH_UP_HOURS",
        read.whole(0, 24 * 14),
        24,
        "Questions asked while the bot was away are answered if they are not older than this; 0 = never.",
    )
    discord_channels: tuple[str, ...] = _setting(
        "DISCORD_CHANNELS", read.words, _NONE, "Ids of the only channels to answer in, with commas; empty = all."
    )
    discord_roles: tuple[str, ...] = _setting(
        "DISCORD_ROLES", read.words, _NONE, "Ids of the only roles that may ask, with commas; empty = everybody."
    )
    discord_leader_roles: tuple[str, ...] = _setting(
        "DISCORD_LEADER_ROLES",
        read.words,
        _NONE,
        "Ids of roles that lead, besides those who may manage the server.",
    )
    slack_channels: tuple[str, ...] = _setting(
        "SLACK_CHANNELS", read.words, _NONE, "Ids of the only channels to answer in, with commas; empty = all."
    )
    slack_groups: tuple[str, ...] = _setting(
        "SLACK_GROUPS", read.words, _NONE, "Ids of the only user groups that may ask; empty = everybody."
    )
    slack_leader_groups: tuple[str, ...] = _setting(
        "SLACK_LEADER_GROUPS",
        read.words,
        _NONE,
        "Ids of user groups whose members lead, besides the workspace's admins.",
    )
    slack_command_prefix: str = _setting(
        "SLACK_COMMAND_PREFIX",
        read.text,
        "",
        "Put before our slash commands where another app has the same ones: fn makes /fn-ask of /ask.",
    )
    discord_api_base: str | None = _setting(
        "DISCORD_API_BASE", read.url, None, "Another Discord REST address, for local servers."
    )
    discord_gateway_url: str | None = _setting(
        "DISCORD_GATEWAY_URL", read.url, None, "Another Discord gateway, for local servers."
    )
    slack_api_url: str | None = _setting(
        "SLACK_API_URL", read.url, None, "Another Slack API address, for local servers."
    )

    @classmethod
    def from_env(cls, environ: Mapping[str, str], *, env_file: Path | None = None) -> "Settings":
        """Read *environ*, then *env_file* for what it does not say.

        Raises:
            SettingsError: one line for each variable that cannot be used, with its name and what it must be.
        """
        written = dotenv_values(env_file) if env_file and env_file.is_file() else {}
        values: dict[str, Any] = {}
        problems = _misspelt(written)
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


def _misspelt(written: Mapping[str, str | None]) -> list[str]:
    """Names in the file that look like ours but are not. The environment may hold such names for others."""
    known = [each.metadata["variable"] for each in fields(Settings)]
    problems = []
    for name in written:
        if name.startswith("FOOTNOTE_") and name not in known:
            near = get_close_matches(name, known, n=1)
            meant = f" Did you mean {near[0]}?" if near else ""
            problems.append(f"{name} in the .env file is not a setting.{meant}")
    return problems

"""Everything an operator can choose about Discord and Slack."""

from dataclasses import dataclass

from core import setting_values as read
from core.model_settings import ModelSettings
from core.setting_values import setting

_NONE: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlatformSettings(ModelSettings):
    """Where members ask, and who may."""

    discord_token: str | None = setting(
        "DISCORD_TOKEN", read.text, None, "Bot token of your Discord application.", is_secret=True
    )
    slack_bot_token: str | None = setting(
        "SLACK_BOT_TOKEN",
        read.text,
        None,
        "Bot token of your Slack app (xoxb-…); for several workspaces one each, with commas.",
        is_secret=True,
    )
    slack_app_token: str | None = setting(
        "SLACK_APP_TOKEN", read.text, None, "App-level token of your Slack app (xapp-…).", is_secret=True
    )
    slack_signing_secret: str | None = setting(
        "SLACK_SIGNING_SECRET",
        read.text,
        None,
        "Signing secret of your Slack app; without SLACK_APP_TOKEN, Slack then calls us over HTTP.",
        is_secret=True,
    )
    slack_http_port: int = setting(
        "SLACK_HTTP_PORT", read.whole(1, 65535), 3000, "Port for Slack's calls where it calls us over HTTP."
    )
    discord_channels: tuple[str, ...] = setting(
        "DISCORD_CHANNELS", read.words, _NONE, "Ids of the only channels to answer in, with commas; empty = all."
    )
    discord_roles: tuple[str, ...] = setting(
        "DISCORD_ROLES", read.words, _NONE, "Ids of the only roles that may ask, with commas; empty = everybody."
    )
    discord_leader_roles: tuple[str, ...] = setting(
        "DISCORD_LEADER_ROLES",
        read.words,
        _NONE,
        "Ids of roles that lead, besides those who may manage the server.",
    )
    slack_channels: tuple[str, ...] = setting(
        "SLACK_CHANNELS", read.words, _NONE, "Ids of the only channels to answer in, with commas; empty = all."
    )
    slack_groups: tuple[str, ...] = setting(
        "SLACK_GROUPS", read.words, _NONE, "Ids of the only user groups that may ask; empty = everybody."
    )
    slack_leader_groups: tuple[str, ...] = setting(
        "SLACK_LEADER_GROUPS",
        read.words,
        _NONE,
        "Ids of user groups whose members lead, besides the workspace's admins.",
    )
    slack_command_prefix: str = setting(
        "SLACK_COMMAND_PREFIX",
        read.text,
        "",
        "Put before our slash commands where another app has the same ones: fn makes /fn-ask of /ask.",
    )
    discord_api_base: str | None = setting(
        "DISCORD_API_BASE", read.url, None, "Another Discord REST address, for local servers."
    )
    discord_gateway_url: str | None = setting(
        "DISCORD_GATEWAY_URL", read.url, None, "Another Discord gateway, for local servers."
    )
    slack_api_url: str | None = setting(
        "SLACK_API_URL", read.url, None, "Another Slack API address, for local servers."
    )

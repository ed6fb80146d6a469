"""The manifest that creates the app, kept in step with the code."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.adapters.slack.app import ASK_ABOUT, EVENTS, OLDER_EVENT
from bot.adapters.slack.naming import COMMANDS

ROOT = Path(__file__).parents[4]
ADAPTER = ROOT / "bot" / "adapters" / "slack"

SCOPES = {
    "assistant_threads_": "assistant:write",
    "chat_": "chat:write",
    "users_info": "users:read",
    "usergroups_": "usergroups:read",
    "conversations_history": "channels:history",
    "users_conversations": "channels:read",
    "url_private_download": "files:read",
}
"""What in the code needs which scope."""


@pytest.fixture
def manifest() -> Any:
    return yaml.safe_load((ROOT / "slack-manifest.yaml").read_text(encoding="utf-8"))


def test_every_command_is_in_the_manifest_and_no_other(manifest: Any) -> None:
    named = [each["command"] for each in manifest["features"]["slash_commands"]]

    assert named == [f"/{name}" for name in COMMANDS]


def test_every_event_we_act_on_is_asked_for(manifest: Any) -> None:
    asked_for = {event.partition(".")[0] for event in manifest["settings"]["event_subscriptions"]["bot_events"]}

    assert asked_for == set(EVENTS)


def test_the_message_menu_entry_is_ours(manifest: Any) -> None:
    (shortcut,) = manifest["features"]["shortcuts"]

    assert (shortcut["callback_id"], shortcut["type"]) == (ASK_ABOUT, "message")


def test_each_scope_is_used_and_each_use_has_its_scope(manifest: Any) -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in ADAPTER.glob("*.py"))
    scopes = set(manifest["oauth_config"]["scopes"]["bot"])
    used = {scope for call, scope in SCOPES.items() if call in code}

    assert used <= scopes
    kinds = {f"{kind}:{right}" for kind in ("groups", "im", "mpim") for right in ("history", "read")}
    assert scopes - used == {"app_mentions:read", "im:write", "commands"} | kinds


def test_each_kind_of_conversation_can_be_heard_listed_and_read(manifest: Any) -> None:
    scopes = set(manifest["oauth_config"]["scopes"]["bot"])
    events = set(manifest["settings"]["event_subscriptions"]["bot_events"])

    for kind in ("channels", "groups", "im", "mpim"):
        assert f"message.{kind}" in events
        assert {f"{kind}:history", f"{kind}:read"} <= scopes


def test_the_pane_is_the_agent_view_of_new_apps(manifest: Any) -> None:
    features = manifest["features"]

    assert 1 <= len(features["agent_view"]["agent_description"]) <= 300
    assert "assistant_view" not in features, "Slack takes one of the two"
    assert OLDER_EVENT not in manifest["settings"]["event_subscriptions"]["bot_events"]
    assert features["app_home"]["messages_tab_enabled"], "the agent view needs it"
    assert "assistant:write" in manifest["oauth_config"]["scopes"]["bot"]


def test_it_works_without_a_public_address(manifest: Any) -> None:
    assert manifest["settings"]["socket_mode_enabled"]
    assert "request_url" not in str(manifest)


def test_slacks_limits_on_names_and_texts_hold(manifest: Any) -> None:
    about = manifest["display_information"]
    assert len(about["name"]) <= 35
    assert len(about["description"]) <= 140
    assert 175 <= len(about["long_description"]) <= 4000
    assert re.fullmatch(r"#[0-9a-f]{6}", about["background_color"])
    for command in manifest["features"]["slash_commands"]:
        assert len(command["description"]) <= 2000
        assert len(command["command"]) <= 32

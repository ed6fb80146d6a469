"""The other Web API methods: views, people, files, the assistant pane."""

import time
from typing import Any

from tests.fakes.slack.chat_api import ChatApi
from tests.fakes.slack.conversations_api import ConversationsApi
from tests.fakes.slack.limits import check_view
from tests.fakes.slack.world import Json, Team, World

TRIGGER_SECONDS = 3.0
MAX_PROMPTS = 4
MAX_LOADING_MESSAGES = 10


class WebApi:
    """Every method the local Slack knows, by its real name."""

    def __init__(
        self, world: World, chat: ChatApi, reads: ConversationsApi, *, app_token: str, new_ticket: Any
    ) -> None:
        self.world = world
        self.chat = chat
        self.app_token = app_token
        self.new_ticket = new_ticket
        self.methods = {
            "auth.test": self.auth_test, "apps.connections.open": self.open_connection,
            "users.info": self.user_info, "usergroups.users.list": self.user_group,
            "conversations.info": reads.info, "conversations.open": chat.open_conversation,
            "conversations.replies": reads.replies, "conversations.history": reads.history,
            "users.conversations": reads.listed,
            "chat.postMessage": chat.post_message, "chat.update": chat.update, "chat.delete": chat.delete,
            "chat.postEphemeral": chat.post_ephemeral, "chat.getPermalink": chat.permalink,
            "chat.startStream": chat.start_stream, "chat.appendStream": chat.append_stream,
            "chat.stopStream": chat.stop_stream, "views.open": self.open_view, "views.update": self.update_view,
            "views.push": self.open_view, "views.publish": self.publish_view, "files.info": self.file_info,
            "assistant.threads.setStatus": self.set_status, "assistant.threads.setTitle": self.set_title,
            "assistant.threads.setSuggestedPrompts": self.set_prompts,
        }  # fmt: skip

    def auth_test(self, team: Team, given: Json) -> Json:
        return {
            "url": "https://study.slack.example/", "team": team.name, "user": "footnote", "team_id": team.id,
            "user_id": team.bot_user, "bot_id": team.bot_id, "is_enterprise_install": team.enterprise is not None,
            "enterprise_id": team.enterprise,
        }  # fmt: skip

    def open_connection(self, team: Team, given: Json) -> Json:
        return {"url": self.new_ticket()}

    def user_info(self, team: Team, given: Json) -> Json:
        user = self.world.users.get(given["user"])
        return {"user": user} if user else {"error": "user_not_found"}

    def user_group(self, team: Team, given: Json) -> Json:
        users = self.world.user_groups.get(given["usergroup"])
        return {"users": users} if users is not None else {"error": "no_such_subteam"}

    # -- views ----------------------------------------------------------------------------------------------

    def open_view(self, team: Team, given: Json) -> Json:
        asked = self.world.triggers.pop(given.get("trigger_id") or "", None)
        if asked is None:
            return {"error": "exchanged_trigger_id"}
        if time.monotonic() - asked > TRIGGER_SECONDS:
            return {"error": "expired_trigger_id"}
        error = check_view(given["view"])
        if error:
            return {"error": error}
        self.chat.look_at({"blocks": given["view"]["blocks"]})
        view_id = f"V{next(self.world.numbers):06d}"
        self.world.views[view_id] = {
            "private_metadata": "",
            **given["view"],
            "id": view_id,
            "state": {"values": {}},
        }
        return {"view": self.world.views[view_id]}

    def update_view(self, team: Team, given: Json) -> Json:
        if given.get("view_id") not in self.world.views:
            return {"error": "not_found"}
        error = check_view(given["view"])
        if error:
            return {"error": error}
        self.chat.look_at({"blocks": given["view"]["blocks"]})
        self.world.views[given["view_id"]] |= given["view"]
        return {"view": self.world.views[given["view_id"]]}

    def publish_view(self, team: Team, given: Json) -> Json:
        error = check_view(given["view"])
        if error:
            return {"error": error}
        self.chat.look_at({"blocks": given["view"]["blocks"]})
        self.world.homes[given["user_id"]] = given["view"]
        return {"view": given["view"]}

    # -- files and the assistant pane -----------------------------------------------------------------------

    def file_info(self, team: Team, given: Json) -> Json:
        known = self.world.files.get(given["file"])
        return {"file": known[0]} if known else {"error": "file_not_found"}

    def set_status(self, team: Team, given: Json) -> Json:
        """Any thread takes one, in channels too; a message there ends it, and so do two minutes."""
        if given["channel_id"] not in self.world.messages:
            return {"error": "channel_not_found"}
        if given["thread_ts"] not in self.world.messages[given["channel_id"]]:
            return {"error": "invalid_thread_ts"}
        if len(given.get("loading_messages") or []) > MAX_LOADING_MESSAGES:
            return {"error": "invalid_arguments"}
        self.world.statuses.append({**given, "at": time.monotonic()})
        return {}

    def set_title(self, team: Team, given: Json) -> Json:
        if given["thread_ts"] not in self.world.messages.get(given["channel_id"], {}):
            return {"error": "invalid_thread_ts"}
        self.world.titles[given["thread_ts"]] = given["title"]
        return {}

    def set_prompts(self, team: Team, given: Json) -> Json:
        if not 1 <= len(given["prompts"]) <= MAX_PROMPTS:
            return {"error": "invalid_arguments"}
        if any(set(prompt) != {"title", "message"} for prompt in given["prompts"]):
            return {"error": "invalid_arguments"}
        thread = given.get("thread_ts")
        if thread and thread not in self.world.messages.get(given["channel_id"], {}):
            return {"error": "invalid_thread_ts"}
        self.world.prompts.append(given)
        return {}

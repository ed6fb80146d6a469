"""chat.*: posting, updating, deleting, streaming."""

import time

from tests.fakes.slack.arguments import is_valid_chunk
from tests.fakes.slack.limits import (
    MAX_MARKDOWN,
    MAX_TEXT,
    MAX_UPDATE_TEXT,
    check_blocks,
    complaints_about,
    markdown_texts,
    mrkdwn_texts,
)
from tests.fakes.slack.world import APP_ID, Json, Stream, Team, World


class ChatApi:
    """Methods by name; each takes the arguments and gives the answer, {"error": …} where Slack refuses."""

    def __init__(self, world: World, *, stream_seconds: float, complaints: list[str]) -> None:
        self.world = world
        self.stream_seconds = stream_seconds
        self.complaints = complaints

    # -- messages -------------------------------------------------------------------------------------------

    def post_message(self, team: Team, given: Json) -> Json:
        channel = self._channel(given.get("channel", ""), team)
        error = self._place_error(channel, team) or self._content_error(given)
        if error:
            return {"error": error}
        thread = given.get("thread_ts")
        if thread and thread not in self.world.messages[channel]:
            return {"error": "thread_not_found"}
        if given.get("unfurl_links") is not False or given.get("unfurl_media") is not False:
            self.complaints.append("a message was posted with unfurling on")
        message = self._store(channel, team, given)
        return {"channel": channel, "ts": message["ts"], "message": message}

    def _channel(self, channel: str, team: Team) -> str:
        if channel not in self.world.users:
            return channel
        return str(self.open_conversation(team, {"users": channel})["channel"]["id"])

    def open_conversation(self, team: Team, given: Json) -> Json:
        for each in self.world.channels.values():
            if each["kind"] == "im" and each["user"] == given["users"] and each["team"] == team.id:
                return {"channel": {"id": each["id"]}}
        made = self.world.add_channel("dm", team=team.id, kind="im", user=given["users"])
        return {"channel": {"id": made}}

    def _place_error(self, channel: str, team: Team) -> str | None:
        known = self.world.channels.get(channel)
        if known is None or known["team"] != team.id:
            return "channel_not_found"
        if known["is_archived"]:
            return "is_archived"
        return None if known["is_member"] else "not_in_channel"

    def _content_error(self, given: Json) -> str | None:
        if given.get("markdown_text") and (given.get("text") or given.get("blocks")):
            return "markdown_text_conflict"
        if not any(given.get(each) for each in ("text", "blocks", "attachments", "markdown_text")):
            return "no_text"
        if len(given.get("markdown_text") or "") > MAX_MARKDOWN or len(given.get("text") or "") > MAX_TEXT:
            return "msg_too_long"
        if given.get("blocks") and not given.get("text"):
            self.complaints.append("blocks without a text for notifications")
        self.look_at(given)
        return check_blocks(given.get("blocks"))

    def look_at(self, given: Json) -> None:
        """Note what would ping or was not escaped."""
        for text in [given.get("text") or "", *mrkdwn_texts(given.get("blocks"))]:
            self.complaints += complaints_about(text)
        for text in [given.get("markdown_text") or "", *markdown_texts(given.get("blocks"))]:
            self.complaints += [each for each in complaints_about(text) if each.startswith("pings")]

    def _store(self, channel: str, team: Team, given: Json) -> Json:
        kept = {name: given[name] for name in ("blocks", "thread_ts", "metadata") if given.get(name) is not None}
        text = given.get("text") or given.get("markdown_text") or ""
        message: Json = {
            "type": "message", "user": team.bot_user, "bot_id": team.bot_id, "app_id": APP_ID, "team": team.id,
            "text": text, "ts": self.world.ts(), "channel": channel, "edits": 0, **kept,
        }  # fmt: skip
        self.world.messages[channel][message["ts"]] = message
        return message

    def update(self, team: Team, given: Json) -> Json:
        message = self.world.messages.get(given["channel"], {}).get(given["ts"])
        if message is None:
            return {"error": "message_not_found"}
        if message.get("user") != team.bot_user:
            return {"error": "cant_update_message"}
        if self._stream_state(given["ts"]) == "open":
            return {"error": "streaming_state_conflict"}
        if len(given.get("text") or "") > MAX_UPDATE_TEXT:
            return {"error": "msg_too_long"}
        error = self._content_error(given)
        if error:
            return {"error": error}
        message |= {name: given[name] for name in ("text", "blocks", "metadata") if name in given}
        message["edits"] += 1
        return {"channel": given["channel"], "ts": given["ts"], "text": message["text"], "message": message}

    def delete(self, team: Team, given: Json) -> Json:
        gone = self.world.messages.get(given["channel"], {}).pop(given["ts"], None)
        return {"channel": given["channel"], "ts": given["ts"]} if gone else {"error": "message_not_found"}

    def post_ephemeral(self, team: Team, given: Json) -> Json:
        channel = self.world.channels.get(given["channel"])
        error = "channel_not_found" if channel is None else self._content_error(given)
        if error:
            return {"error": error}
        self.world.ephemeral.append(given)
        return {"message_ts": self.world.ts()}

    def permalink(self, team: Team, given: Json) -> Json:
        place = f"{given['channel']}/p{given['message_ts'].replace('.', '')}"
        return {"permalink": f"https://study.slack.example/archives/{place}"}

    # -- streams --------------------------------------------------------------------------------------------

    def start_stream(self, team: Team, given: Json) -> Json:
        error = self._place_error(given.get("channel", ""), team)
        is_channel = not error and self.world.channels[given["channel"]]["kind"] != "im"
        if not given.get("thread_ts"):
            error = error or "invalid_arguments"
        root = self.world.messages.get(given.get("channel", ""), {}).get(given.get("thread_ts", ""))
        if root is None or root.get("thread_ts", root["ts"]) != root["ts"]:
            error = error or "invalid_thread_ts"
        for name in ("recipient_team_id", "recipient_user_id"):
            if is_channel and not given.get(name):
                error = error or f"missing_{name}"
        if error:
            return {"error": error}
        message = self._store(given["channel"], team, {"text": "", "thread_ts": given["thread_ts"]})
        self.world.streams[message["ts"]] = Stream(time.monotonic())
        error = self._append(message, given)
        return {"error": error} if error else {"channel": given["channel"], "ts": message["ts"]}

    def append_stream(self, team: Team, given: Json) -> Json:
        message, error = self._open_stream(given)
        if not given.get("markdown_text") and not given.get("chunks"):
            error = error or "no_text"
        if message is None or error or (error := self._append(message, given)):
            return {"error": error}
        self.world.streams[given["ts"]].appends += 1
        return {"channel": given["channel"], "ts": given["ts"]}

    def stop_stream(self, team: Team, given: Json) -> Json:
        message, error = self._open_stream(given)
        if message is None:
            return {"error": error}
        error = self._append(message, given) or check_blocks(given.get("blocks"))
        if error:
            return {"error": error}
        self.look_at({"blocks": given.get("blocks")})
        self.world.streams[given["ts"]].state = "done"
        message["blocks"] = [*message.get("blocks", []), *(given.get("blocks") or [])]
        if given.get("metadata"):
            message["metadata"] = given["metadata"]
        return {"channel": given["channel"], "ts": given["ts"], "message": message}

    def _open_stream(self, given: Json) -> tuple[Json | None, str | None]:
        message = self.world.messages.get(given["channel"], {}).get(given["ts"])
        if message is None:
            return None, "message_not_found"
        state = self._stream_state(given["ts"])
        if state == "stopped by user":
            return None, "stopped_by_user"
        return (message, None) if state == "open" else (None, "message_not_in_streaming_state")

    def _stream_state(self, ts: str) -> str:
        stream = self.world.streams.get(ts)
        if stream is None:
            return "none"
        # Its life is counted from the start; appending does not lengthen it.
        if stream.state == "open" and time.monotonic() - stream.started > self.stream_seconds:
            stream.state = "expired"
        return stream.state

    def _append(self, message: Json, given: Json) -> str | None:
        chunks = list(given.get("chunks") or [])
        if given.get("markdown_text"):
            chunks.insert(0, {"type": "markdown_text", "text": given["markdown_text"]})
        for chunk in chunks:
            error = self._append_chunk(message, chunk)
            if error:
                return error
        return None

    def _append_chunk(self, message: Json, chunk: Json) -> str | None:
        if not is_valid_chunk(chunk):
            return "invalid_chunks"
        if chunk["type"] == "markdown_text":
            self.look_at({"markdown_text": chunk["text"]})
            message["text"] += chunk["text"]
            return "msg_too_long" if len(chunk["text"]) > MAX_MARKDOWN else None
        if chunk["type"] == "task_update":
            cards = [each for each in message.setdefault("blocks", []) if each.get("task_id") == chunk["id"]]
            card = cards[0] if cards else {"type": "task_card", "task_id": chunk["id"]}
            card |= {"title": chunk["title"], "status": chunk["status"]}
            message["blocks"] += [] if cards else [card]
        return None

"""conversations.* and users.conversations: what can be read, page by page."""

from tests.fakes.slack.world import Json, Team, World

STRICT_PAGE = 15
"""What apps that are sold outside Slack's own marketplace get at a time."""
MAX_PAGE = 999
EVENT_FIELDS = {"channel", "channel_type", "event_ts", "edits"}
"""What an event says of a message and a page of messages does not."""


class ConversationsApi:
    """Methods by name; each takes the arguments and gives the answer, {"error": …} where Slack refuses."""

    def __init__(self, world: World, *, is_strict: bool) -> None:
        self.world = world
        self.is_strict = is_strict

    def info(self, team: Team, given: Json) -> Json:
        channel = self.world.channels.get(given["channel"])
        if channel is None or not (channel["is_member"] or channel["kind"] == "channel"):
            return {"error": "channel_not_found"}
        return {"channel": channel}

    def listed(self, team: Team, given: Json) -> Json:
        """The conversations that the bot is in."""
        if team.enterprise and not given.get("team_id"):
            return {"error": "missing_argument"}
        kinds = {"public_channel": "channel", "private_channel": "group", "im": "im", "mpim": "mpim"}
        wanted = {kinds[each] for each in str(given.get("types") or "public_channel").split(",")}
        found = [
            {"id": each["id"], "is_im": each["is_im"], "is_archived": each["is_archived"]}
            for each in self.world.channels.values()
            if each["team"] == (given.get("team_id") or team.id) and each["is_member"] and each["kind"] in wanted
        ]
        return self._page("channels", found, given, MAX_PAGE)

    def replies(self, team: Team, given: Json) -> Json:
        messages, error = self._readable(given)
        if error:
            return {"error": error}
        if given["ts"] not in messages:
            return {"error": "thread_not_found"}
        root = messages[given["ts"]].get("thread_ts") or given["ts"]
        oldest = float(given.get("oldest") or 0)
        # The first message of a thread is always there, whatever was asked for.
        found = [
            each
            for each in self.world.thread(given["channel"], root)
            if each["ts"] == root or float(each["ts"]) > oldest
        ]
        return self._messages(found, given)

    def history(self, team: Team, given: Json) -> Json:
        """What stands in the channel itself, newest first; of a thread only that there is one."""
        messages, error = self._readable(given)
        if error:
            return {"error": error}
        oldest = float(given.get("oldest") or 0)
        roots = [each for each in messages.values() if each.get("thread_ts", each["ts"]) == each["ts"]]
        found = [self._with_thread(each, given["channel"]) for each in roots if float(each["ts"]) > oldest]
        return self._messages(found[::-1], given)

    def _readable(self, given: Json) -> tuple[dict[str, Json], str | None]:
        messages = self.world.messages.get(given["channel"])
        if messages is None:
            return {}, "channel_not_found"
        is_member = self.world.channels[given["channel"]]["is_member"]
        return messages, None if is_member else "not_in_channel"

    def _with_thread(self, root: Json, channel: str) -> Json:
        replies = [each for each in self.world.thread(channel, root["ts"]) if each is not root]
        if not replies:
            return root
        people = list(dict.fromkeys(each["user"] for each in replies))
        told = {"reply_count": len(replies), "reply_users": people[:5], "reply_users_count": len(people)}
        return {**root, "thread_ts": root["ts"], "latest_reply": replies[-1]["ts"], **told}

    def _messages(self, found: list[Json], given: Json) -> Json:
        has_metadata = str(given.get("include_all_metadata", "")).lower() in ("1", "true")
        left_out = EVENT_FIELDS if has_metadata else EVENT_FIELDS | {"metadata"}
        shown = [{name: value for name, value in each.items() if name not in left_out} for each in found]
        return self._page("messages", shown, given, STRICT_PAGE if self.is_strict else MAX_PAGE)

    def _page(self, name: str, found: list[Json], given: Json, most: int) -> Json:
        limit, start = min(int(given.get("limit") or 100), most), int(given.get("cursor") or 0)
        has_more = len(found) > start + limit
        cursor = {"next_cursor": str(start + limit) if has_more else ""}
        return {name: found[start : start + limit], "has_more": has_more, "response_metadata": cursor}

"""Who and what there is: users, servers, roles, channels, threads and messages, in Discord's own shape."""

import re
from typing import Any

from tests.fakes.discord.wire import Json, Snowflakes, now_iso

BOT_ID = "1000000000000000001"
OWNER_ID = "1000000000000000002"

TEXT, DM, FORUM, ANNOUNCEMENT = 0, 1, 15, 5
PUBLIC_THREAD = 11

PERMISSIONS = {
    "create_public_threads": 1 << 35,
    "manage_guild": 1 << 5,
    "read_message_history": 1 << 16,
    "send_messages": 1 << 11,
    "send_messages_in_threads": 1 << 38,
    "view_channel": 1 << 10,
}
MEMBER_PERMISSIONS = sum(bit for name, bit in PERMISSIONS.items() if name != "manage_guild")


class World:
    """All that this Discord remembers."""

    def __init__(self) -> None:
        self.next_id = Snowflakes()
        self.users: dict[str, Json] = {}
        self.guilds: dict[str, Json] = {}
        self.channels: dict[str, Json] = {}
        self.messages: dict[str, dict[str, Json]] = {}
        self.members: dict[tuple[str, str], Json] = {}
        self.denied: dict[str, int] = {}
        """Permissions the bot lacks, by channel."""
        self.bot = self.add_user("Footnote", user_id=BOT_ID, is_bot=True)

    def add_user(self, name: str, *, user_id: str | None = None, is_bot: bool = False) -> Json:
        user: Json = {
            "id": user_id or self.next_id(),
            "username": name,
            "discriminator": "0",
            "global_name": name.title(),
            "avatar": None,
            "bot": is_bot,
            "public_flags": 0,
        }
        self.users[user["id"]] = user
        return user

    def add_guild(self, name: str = "Study group") -> Json:
        guild_id = self.next_id()
        guild: Json = {
            "id": guild_id,
            "name": name,
            "owner_id": OWNER_ID,
            "unavailable": False,
            "member_count": 3,
            "large": False,
            "roles": [_role(guild_id, "@everyone", MEMBER_PERMISSIONS)],
            "emojis": [],
            "stickers": [],
            "features": [],
            "channels": [],
            "threads": [],
            "voice_states": [],
            "presences": [],
            "members": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
            "joined_at": now_iso(),
            "premium_tier": 0,
            "nsfw_level": 0,
            "preferred_locale": "en-US",
            "verification_level": 0,
            "default_message_notifications": 0,
            "explicit_content_filter": 0,
            "afk_timeout": 300,
            "mfa_level": 0,
            "system_channel_flags": 0,
        }
        self.guilds[guild_id] = guild
        self.join(guild, self.bot)
        return guild

    def add_role(self, guild: Json, name: str, *, permissions: int = 0) -> Json:
        role = _role(self.next_id(), name, permissions)
        guild["roles"].append(role)
        return role

    def join(self, guild: Json, user: Json, *, roles: tuple[str, ...] = (), is_leader: bool = False) -> Json:
        """Make *user* a member; leaders have a role that may manage the server."""
        permissions = MEMBER_PERMISSIONS
        if is_leader:
            leaders = next((each for each in guild["roles"] if each["name"] == "Leaders"), None)
            leaders = leaders or self.add_role(guild, "Leaders", permissions=PERMISSIONS["manage_guild"])
            permissions |= PERMISSIONS["manage_guild"]
            roles = (*roles, leaders["id"])
        member = {
            "user": user,
            "roles": list(roles),
            "joined_at": now_iso(),
            "deaf": False,
            "mute": False,
            "flags": 0,
            "nick": None,
            "avatar": None,
            "pending": False,
            "permissions": str(permissions),
        }
        self.members[guild["id"], user["id"]] = member
        return member

    def member(self, guild_id: str, user: Json) -> Json:
        known = self.members.get((guild_id, user["id"]))
        return known if known is not None else self.join(self.guilds[guild_id], user)

    def add_channel(self, guild: Json, name: str, *, kind: int = TEXT) -> Json:
        channel: Json = {
            "id": self.next_id(),
            "type": kind,
            "name": name,
            "guild_id": guild["id"],
            "position": len(self.channels),
            "flags": 0,
            "permission_overwrites": [],
            "nsfw": False,
            "rate_limit_per_user": 0,
            "last_message_id": None,
            "topic": None,
            "parent_id": None,
        }
        if kind == FORUM:
            channel |= {"available_tags": [], "default_reaction_emoji": None, "default_forum_layout": 0}
        guild["channels"].append(channel)
        return self._keep(channel)

    def dm_with(self, user: Json) -> Json:
        """The direct messages between *user* and the bot."""
        for channel in self.channels.values():
            if channel["type"] == DM and channel["recipients"][0]["id"] == user["id"]:
                return channel
        return self._keep(
            {"id": self.next_id(), "type": DM, "recipients": [user], "last_message_id": None, "flags": 0}
        )

    def add_thread(
        self, parent: Json, name: str, *, thread_id: str | None = None, owner_id: str, archive_minutes: int = 1440
    ) -> Json:
        thread_id = thread_id or self.next_id()
        thread: Json = {
            "id": thread_id,
            "type": PUBLIC_THREAD,
            "guild_id": parent["guild_id"],
            "parent_id": parent["id"],
            "owner_id": owner_id,
            "name": name,
            "last_message_id": None,
            "message_count": 0,
            "member_count": 1,
            "total_message_sent": 0,
            "rate_limit_per_user": 0,
            "flags": 0,
            "applied_tags": [],
            "thread_metadata": {
                "archived": False,
                "auto_archive_duration": archive_minutes,
                "archive_timestamp": now_iso(),
                "locked": False,
                "create_timestamp": now_iso(),
            },
            "member": {"id": thread_id, "user_id": BOT_ID, "join_timestamp": now_iso(), "flags": 1},
        }
        self.guilds[parent["guild_id"]]["threads"].append(thread)
        return self._keep(thread)

    def _keep(self, channel: Json) -> Json:
        self.channels[channel["id"]] = channel
        self.messages.setdefault(channel["id"], {})
        return channel

    def add_message(self, channel: Json, author: Json, content: str = "", **more: Any) -> Json:
        mentioned = dict.fromkeys(re.findall(r"<@!?(\d+)>", content))
        message: Json = {
            "id": self.next_id(),
            "type": 0,
            "channel_id": channel["id"],
            "author": author,
            "content": content,
            "timestamp": now_iso(),
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [self.users[each] for each in mentioned if each in self.users],
            "mention_roles": [],
            "attachments": [],
            "embeds": [],
            "components": [],
            "pinned": False,
            "flags": 0,
            **more,
        }
        if "guild_id" in channel:
            message["guild_id"] = channel["guild_id"]
            member = self.member(channel["guild_id"], author)
            message["member"] = {name: value for name, value in member.items() if name != "user"}
        self.messages[channel["id"]][message["id"]] = message
        channel["last_message_id"] = message["id"]
        if "message_count" in channel:
            channel["message_count"] += 1
        return message

    def reference(self, target: Json) -> Json:
        """What a message that replies to *target* carries."""
        place = {"type": 0, "message_id": target["id"], "channel_id": target["channel_id"]}
        if "guild_id" in target:
            place["guild_id"] = target["guild_id"]
        hidden = {"member", "guild_id", "referenced_message"}
        shown = {name: value for name, value in target.items() if name not in hidden}
        return {"type": 19, "message_reference": place, "referenced_message": shown}

    def deny(self, channel: Json, *names: str) -> None:
        """Take permissions from the bot in one channel."""
        self.denied[channel["id"]] = sum(PERMISSIONS[name] for name in names)

    def is_denied(self, channel: Json, name: str) -> bool:
        """Whether the bot lacks a permission in a channel, or in a thread's parent."""
        lacking = self.denied.get(channel["id"], 0) | self.denied.get(channel.get("parent_id") or "", 0)
        return bool(lacking & PERMISSIONS[name])


def _role(role_id: str, name: str, permissions: int) -> Json:
    return {
        "id": role_id,
        "name": name,
        "permissions": str(permissions),
        "position": 0,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": False,
        "mentionable": False,
        "flags": 0,
    }

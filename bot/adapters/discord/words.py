"""What a Discord message says, without Discord's markup (pure)."""

import re
from collections.abc import Iterator

import discord

from bot.splitting import shortened

MAX_THREAD_NAME = 100
"""What Discord takes; the fakes and the real one refuse 101."""
_EMOJI = re.compile(r"<a?:(\w+):\d+>")
_CHANNEL = re.compile(r"<#(\d+)>")
_ROLE = re.compile(r"<@&(\d+)>")
_MENTION = re.compile(r"<@!?(\d+)>")
_COMMAND = re.compile(r"</([^:>]+):\d+>")


def question_of(message: discord.Message, me: discord.ClientUser) -> str:
    """The message's words without the mention of the bot, other mentions as names."""
    names = {user.id: f"@{user.display_name}" for user in message.mentions if user.id != me.id}
    own_role = own_role_id(message, me)
    text = _MENTION.sub(
        lambda found: "" if int(found[1]) == me.id else names.get(int(found[1]), ""), message.content
    )
    text = _ROLE.sub(lambda found: "" if int(found[1]) == own_role else _role_name(message, int(found[1])), text)
    return tidied(text, message.guild)


def tidied(text: str, guild: discord.Guild | None) -> str:
    """Channels, commands and emoji by their names."""

    def channel_name(found: re.Match[str]) -> str:
        channel = guild.get_channel_or_thread(int(found[1])) if guild else None
        return f"#{channel.name}" if channel else "#channel"

    text = _CHANNEL.sub(channel_name, _EMOJI.sub(r":\1:", _COMMAND.sub(r"/\1", text)))
    return text.strip()


def own_role_id(message: discord.Message, me: discord.ClientUser) -> int | None:
    """The role Discord made for the bot: members often mention it instead of the bot."""
    for role in message.role_mentions:
        if role.tags is not None and role.tags.bot_id == me.id:
            return role.id
    return None


def _role_name(message: discord.Message, role_id: int) -> str:
    return next((f"@{role.name}" for role in message.role_mentions if role.id == role_id), "")


def is_addressed(message: discord.Message, me: discord.ClientUser) -> bool:
    """Whether the message mentions the bot, or answers one of its messages."""
    replied = message.reference.resolved if message.reference else None
    answers_us = isinstance(replied, discord.Message) and replied.author.id == me.id
    return answers_us or me in message.mentions or own_role_id(message, me) is not None


def is_for_others(message: discord.Message, me: discord.ClientUser) -> bool:
    """Whether members address each other: somebody else is mentioned or answered, and the bot is not."""
    if is_addressed(message, me):
        return False
    if message.mentions or message.role_mentions or message.mention_everyone:
        return True
    return message.reference is not None and message.type is discord.MessageType.reply


def thread_name(question: str) -> str:
    """A name from the first line of a question, without mentions and markup."""
    line = next((line for line in question.splitlines() if line.strip()), "")
    plain = re.sub(r"[*_`~|>#]+", "", _MENTION.sub("", line)).replace("@", "＠")
    return shortened(" ".join(plain.split()), MAX_THREAD_NAME) or "Question"


def text_of(message: discord.Message | discord.MessageSnapshot) -> str:
    """Everything a reader sees in a message: words, forwarded words, embeds and components."""
    return "\n".join(part for part in _parts(message) if part).strip()


def _parts(message: discord.Message | discord.MessageSnapshot) -> Iterator[str]:
    guild = message.guild if isinstance(message, discord.Message) else None
    names = {user.id: f"@{user.display_name}" for user in getattr(message, "mentions", [])}
    yield tidied(_MENTION.sub(lambda found: names.get(int(found[1]), "@member"), message.content), guild)
    for embed in message.embeds:
        yield from (embed.title or "", embed.description or "")
        yield from (f"{field.name}: {field.value}" for field in embed.fields)
    yield from _component_texts(message.components)
    if isinstance(message, discord.Message):
        for snapshot in message.message_snapshots:
            yield text_of(snapshot)


def _component_texts(components: object) -> Iterator[str]:
    for component in components if isinstance(components, list) else []:
        if isinstance(component, discord.TextDisplay):
            yield component.content
        yield from _component_texts(getattr(component, "children", None))

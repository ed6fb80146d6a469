"""A message → what the bot makes of it: nothing, a question, or a word that is a command."""

import discord

from bot import wording
from bot.adapters.discord.groups import Groups, lets_ask
from bot.adapters.discord.place import direct_key, group_of, message_event, parents, thread_key
from bot.adapters.discord.quoting import quoted_by
from bot.adapters.discord.target import MessageTarget
from bot.adapters.discord.words import is_addressed, is_for_others, question_of, thread_name
from bot.desk import Desk
from bot.heard import Heard, stand_in, to_question
from bot.incoming import Incoming
from bot.permissions import Permissions
from bot.reply import Reply
from bot.spoken import Spoken, to_spoken
from core.model import Question, SessionKey

HEARD_TYPES = {discord.MessageType.default, discord.MessageType.reply}


class Hearing:
    """Decides what a message is to the bot."""

    def __init__(self, *, desk: Desk, permissions: Permissions, groups: Groups) -> None:
        self._desk = desk
        self._permissions = permissions
        self._groups = groups

    async def hear(
        self, message: discord.Message, me: discord.ClientUser, *, is_late: bool = False
    ) -> Heard | None:
        """What to answer; None if the message is not for us."""
        if message.author.bot or message.type not in HEARD_TYPES:
            return None
        is_named = is_addressed(message, me)
        if not is_named and message.guild is not None and not isinstance(message.channel, discord.Thread):
            return None
        if not await self._may_ask(message):
            return await self._refused(message, me, is_late=is_late)
        key = await self.key_of(message)
        if not is_named and not await self._is_follow_up(message, me, key):
            return None
        text = question_of(message, me)
        if (spoken := to_spoken(text)) is not None:
            return self._event(message, key, Question(text, key=key), is_late=is_late, spoken=spoken)
        return await self._question(message, me, key, text, is_late=is_late)

    async def _may_ask(self, message: discord.Message) -> bool:
        if message.guild is None:
            return await self._groups.may_ask(message.author.id)
        if not self._permissions.may_ask_in(parents(message.channel)):
            return False
        if not self._permissions.roles:
            return True
        author = message.author
        # Messages that were looked up do not say which roles their author has.
        member = author if isinstance(author, discord.Member) else await message.guild.fetch_member(author.id)
        return lets_ask(self._permissions, member)

    async def _refused(self, message: discord.Message, me: discord.ClientUser, *, is_late: bool) -> Heard | None:
        if message.guild is not None:
            return None
        # Nobody else answers in direct messages: silence would look like a fault.
        key = await self.key_of(message)
        question = stand_in(question_of(message, me), key)
        return self._event(message, key, question, is_late=is_late, reply=Reply.notice(wording.NOT_YOU))

    async def key_of(self, message: discord.Message) -> SessionKey:
        """The conversation a message belongs to; a question in a channel begins one of its own."""
        channel = message.channel
        if message.guild is None:
            return direct_key(await self._groups.of(message.author.id), channel.id)
        if isinstance(channel, discord.Thread):
            # A thread that somebody opened on an answer of ours goes on with that answer's conversation.
            opened_on = await self._desk.answered.place(str(channel.id), group=group_of(message.guild.id))
            return opened_on or thread_key(message.guild.id, channel.parent_id, channel.id)
        return thread_key(message.guild.id, channel.id, message.id)

    async def _is_follow_up(self, message: discord.Message, me: discord.ClientUser, key: SessionKey) -> bool:
        """Whether something that does not name us is said to us all the same."""
        if message.guild is None:
            return True
        if not isinstance(message.channel, discord.Thread) or is_for_others(message, me):
            return False
        if not message.content and not message.attachments:
            # Without the message content intent we see that something was said, but not what.
            return False
        places = self._desk.places
        is_ours = message.channel.owner_id == me.id or await places.is_ours(key)
        return is_ours and not await places.is_muted(key)

    async def _question(
        self, message: discord.Message, me: discord.ClientUser, key: SessionKey, text: str, *, is_late: bool
    ) -> Heard:
        async def stored_answer(message_id: int) -> str | None:
            return await self._desk.answered.text(str(message_id), group=key.group)

        quoted = await quoted_by(message, me, stored_answer)
        question, reply = to_question(text, quoted, key)
        return self._event(message, key, question, is_late=is_late, reply=reply, notes=quoted.notes)

    def _event(
        self,
        message: discord.Message,
        key: SessionKey,
        question: Question,
        *,
        is_late: bool,
        reply: Reply | None = None,
        spoken: Spoken | None = None,
        notes: tuple[str, ...] = (),
    ) -> Heard:
        is_in_channel = message.guild is not None and not isinstance(message.channel, discord.Thread)
        target = MessageTarget(
            channel=message.channel.id,
            message=message.id,
            guild=message.guild.id if message.guild else None,
            opens_thread=is_in_channel and reply is None and spoken is None,
            title=thread_name(question.text),
            notes=notes,
        )
        incoming = Incoming(
            event_id=message_event(message.id),
            member_id=str(message.author.id),
            member_name=message.author.display_name,
            question=question,
            surface=target.to_json(),
            created_at=message.created_at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            is_late=is_late,
            may_join=not is_in_channel and reply is None and spoken is None,
        )
        return Heard(incoming, reply, spoken)


def as_changed(heard: Heard, message: discord.Message) -> Heard:
    """What was heard, as an event of its own: the message was changed before it was answered."""
    return heard.as_changed((message.edited_at or message.created_at).timestamp())

"""Who used a command or pressed a button, and what becomes of the question in it."""

import discord

from bot import wording
from bot.adapters.discord.groups import Groups
from bot.adapters.discord.place import PLATFORM, alone, command_key, direct_key, group_of, parents, thread_key
from bot.adapters.discord.target import InteractionTarget
from bot.desk import Desk
from bot.incoming import Incoming
from bot.member import Member
from bot.permissions import Permissions
from core.errors import QuestionError
from core.model import Question, SessionKey


class Askers:
    """Turns interactions into members and questions."""

    def __init__(self, *, desk: Desk, groups: Groups, permissions: Permissions) -> None:
        self._desk = desk
        self._groups = groups
        self._permissions = permissions

    async def member(self, interaction: discord.Interaction) -> Member:
        """Who it is, in the conversation of the place where it happened."""
        user = interaction.user
        is_manager = isinstance(user, discord.Member) and interaction.permissions.manage_guild
        key = await self._key(interaction)
        # In direct messages nobody leads a server; what belongs to nobody else is everybody's own.
        is_leader = key.group == alone(user.id) or self._permissions.leads(_roles(user), is_manager=is_manager)
        return Member(id=str(user.id), name=user.display_name, key=key, is_leader=is_leader)

    async def _key(self, interaction: discord.Interaction) -> SessionKey:
        channel, guild_id = interaction.channel, interaction.guild_id
        if guild_id is None:
            return direct_key(await self._groups.of(interaction.user.id), interaction.channel_id or 0)
        if isinstance(channel, discord.Thread):
            opened_on = await self._desk.answered.place(str(channel.id), group=group_of(guild_id))
            return opened_on or thread_key(guild_id, channel.parent_id, channel.id)
        return command_key(guild_id, interaction.channel_id or 0, interaction.id)

    @staticmethod
    def is_in_conversation(interaction: discord.Interaction) -> bool:
        """Whether its place is one conversation; in a channel each question begins one of its own."""
        return interaction.guild_id is None or isinstance(interaction.channel, discord.Thread)

    async def check(self, interaction: discord.Interaction) -> None:
        """Let pass whoever may ask here: every question, every search and every passage comes by.

        Raises:
            QuestionError: the operator does not let them, and what to say about it.
        """
        user = interaction.user
        if interaction.guild_id is None:
            may_ask = await self._groups.may_ask(user.id)
        elif not self._permissions.may_ask_in(parents(interaction.channel)):
            raise QuestionError(wording.NOT_HERE)
        else:
            is_manager = interaction.permissions.manage_guild
            may_ask = self._permissions.may_ask(_roles(user), is_manager=is_manager)
        if not may_ask:
            raise QuestionError(wording.NOT_YOU)

    def incoming(
        self, interaction: discord.Interaction, member: Member, question: Question, *, is_private: bool = False
    ) -> Incoming:
        """The question of an interaction, to be answered where it was asked."""
        target = InteractionTarget(
            channel=interaction.channel_id or 0,
            token=interaction.token,
            application=interaction.application_id,
            guild=interaction.guild_id,
            is_private=is_private,
            question=question.text,
        )
        return Incoming(
            event_id=f"{PLATFORM}:i:{interaction.id}",
            member_id=member.id,
            member_name=member.name,
            question=question,
            surface=target.to_json(),
        )


def _roles(user: discord.User | discord.Member) -> list[str]:
    return [str(role.id) for role in user.roles] if isinstance(user, discord.Member) else []

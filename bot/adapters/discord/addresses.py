"""Where Discord is: the real one, or a local one for tests and demonstrations."""

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from core.settings import Settings

INVITE_PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    read_message_history=True,
    embed_links=True,
)
"""All the bot ever needs."""


def use_addresses(settings: Settings) -> None:
    """Point discord.py elsewhere, if the settings say so. It holds for the whole process."""
    if settings.discord_api_base:
        Route.BASE = settings.discord_api_base.rstrip("/")
    if settings.discord_gateway_url:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.discord_gateway_url)


def invite_link(application_id: int) -> str:
    """Where somebody who manages a server adds the bot to it."""
    return discord.utils.oauth_url(
        application_id, permissions=INVITE_PERMISSIONS, scopes=("bot", "applications.commands")
    )

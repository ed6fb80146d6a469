"""Registers the commands with Discord, only when they changed: Discord counts registrations."""

import hashlib
import json
import logging
from pathlib import Path

import discord
from discord import app_commands

log = logging.getLogger(__name__)
STATE_NAME = "discord-commands.txt"


async def sync_commands(tree: app_commands.CommandTree[discord.Client], folder: Path) -> bool:
    """Register the commands of *tree* if they are not the ones registered last; whether it did."""
    digest = digest_of(tree)
    state = folder / STATE_NAME
    key = f"{tree.client.application_id}:{digest}"
    if _read(state) == key and await _are_registered(tree):
        return False
    await tree.sync()
    state.write_text(key, encoding="utf-8")
    log.info("registered %d commands with Discord", len(tree.get_commands()) + 1)
    return True


async def _are_registered(tree: app_commands.CommandTree[discord.Client]) -> bool:
    """Whether Discord still has them all: somebody may have removed them in the portal."""
    known = {command.name for command in await tree.fetch_commands()}
    ours = {command.name for kind in discord.AppCommandType for command in tree.get_commands(type=kind)}
    return known == ours


def digest_of(tree: app_commands.CommandTree[discord.Client]) -> str:
    """The same for the same commands."""
    commands = [
        command.to_dict(tree) for kind in discord.AppCommandType for command in tree.get_commands(type=kind)
    ]
    return hashlib.sha256(json.dumps(commands, sort_keys=True).encode()).hexdigest()


def _read(state: Path) -> str:
    return state.read_text(encoding="utf-8") if state.is_file() else ""

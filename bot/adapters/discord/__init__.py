"""Footnote on Discord."""

from bot.adapters.discord.running import run_discord

__all__ = ["run_discord"]

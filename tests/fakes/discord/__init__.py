"""A strict Discord on this machine: gateway and REST over real sockets, and people who use it."""

from tests.fakes.discord.server import LocalDiscord

__all__ = ["LocalDiscord"]

"""A bare discord.py bot that repeats what it is told: the least that any bot takes."""

import argparse

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route


class Echo(discord.Client):
    """Answers each mention in its channel."""

    async def on_message(self, message: discord.Message) -> None:
        if not message.author.bot and self.user in message.mentions:
            await message.channel.send(f"You asked: {message.content}")


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("token", "api", "gateway"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    Route.BASE = options.api
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(options.gateway)
    intents = discord.Intents(guilds=True, guild_messages=True, message_content=True)
    Echo(intents=intents, guild_ready_timeout=0.2).run(options.token, log_handler=None)


if __name__ == "__main__":
    main()

"""`python -m tests.fakes.discord`: the local Discord as a process of its own, with a page to look at it."""

import argparse
import asyncio
import sys

from tests.fakes.discord.control import add_control
from tests.fakes.discord.server import LocalDiscord


async def serve(port: int) -> None:
    discord = LocalDiscord()
    add_control(discord)
    world = discord.world
    guild = world.add_guild()
    world.add_channel(guild, "study-group")
    for name in ("ann", "bob"):
        world.join(guild, world.add_user(name))
    world.join(guild, world.add_user("lea"), is_leader=True)
    async with discord.running(port):
        sys.stdout.write(
            f"DISCORD_TOKEN={discord.token}\nDISCORD_API_BASE={discord.api_url}\n"
            f"DISCORD_GATEWAY_URL={discord.gateway_url}\nThe channel: {discord.people.address}/\n"
        )
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=8767)
    asyncio.run(serve(parser.parse_args().port))

"""The whole bot as a process of its own, to be killed at any time; its answers take as long as a model's."""

import argparse
import asyncio
import logging
from pathlib import Path

from bot.adapters.discord import run_discord
from bot.limits import Allowance
from bot.turn_work import TurnRules
from core.settings import Settings
from core.store.opening import open_store
from core.store.sessions import Sessions
from tests.bot.group import RememberingAgent, add_small_book, make_parts
from tests.soak.echo import EchoAgent


async def run(options: argparse.Namespace) -> None:
    settings = Settings(
        data_dir=options.data,
        discord_token=options.token,
        discord_api_base=options.api,
        discord_gateway_url=options.gateway,
    )
    async with open_store(options.data) as database:
        rules = TurnRules(at_once=options.at_once, join_seconds=0.3)
        sessions = Sessions(database, model="echo")
        agent = RememberingAgent(sessions)
        if not options.no_pauses:
            agent = EchoAgent(sessions, least=options.least, most=options.most)
        parts = make_parts(database, options.data, agent=agent, allowance=Allowance(0, 0), rules=rules)
        await add_small_book(database)
        async with asyncio.TaskGroup() as group:
            working = group.create_task(parts.turns.run())
            await run_discord(settings, parts.turns, parts.desk, asyncio.Event(), guild_ready_seconds=0.2)
            working.cancel()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--token", required=True)
    parser.add_argument("--api", required=True)
    parser.add_argument("--gateway", required=True)
    parser.add_argument("--least", type=float, default=0.01, help="seconds an answer takes at least")
    parser.add_argument("--most", type=float, default=0.3, help="seconds an answer takes at most")
    parser.add_argument("--no-pauses", action="store_true", help="answer at once")
    parser.add_argument("--at-once", type=int, default=16)
    options = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    asyncio.run(run(options))


if __name__ == "__main__":
    main()

"""The whole Slack bot as a process of its own, to be killed at any time."""

import argparse
import asyncio
import logging
from pathlib import Path

from bot.adapters.slack import run_slack
from bot.limits import Allowance
from bot.turn_work import TurnRules
from core.settings import Settings
from core.store.opening import open_store
from core.store.sessions import Sessions
from tests.bot.group import add_small_book, make_parts
from tests.soak.echo import EchoAgent


async def run(options: argparse.Namespace) -> None:
    settings = Settings(
        data_dir=options.data,
        slack_bot_token=options.token,
        slack_app_token=options.app_token,
        slack_api_url=options.api,
    )
    async with open_store(options.data) as database:
        await add_small_book(database)
        agent = EchoAgent(Sessions(database, model="echo"))
        rules = TurnRules.from_settings(settings)
        parts = make_parts(database, options.data, agent=agent, allowance=Allowance(0, 0), rules=rules)
        async with asyncio.TaskGroup() as group:
            working = group.create_task(parts.turns.run())
            await run_slack(settings, parts.turns, parts.desk, asyncio.Event())
            working.cancel()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--token", required=True)
    parser.add_argument("--app-token", required=True)
    parser.add_argument("--api", required=True)
    options = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    asyncio.run(run(options))


if __name__ == "__main__":
    main()

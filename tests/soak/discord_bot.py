"""The whole bot as a process of its own, to be killed at any time; its answers take as long as a model's."""

import argparse
import asyncio
import logging
import random
from collections.abc import AsyncIterator
from pathlib import Path

from bot.adapters.discord import run_discord
from bot.limits import Allowance
from bot.turn_work import TurnRules
from core.model import AskEvent, Question
from core.settings import Settings
from core.store.library import Library
from core.store.opening import open_store
from core.store.sessions import Sessions
from tests.bot.adapters.discord.stage import PASSAGES, PLACE, RememberingAgent, make_parts
from tests.core.store.making import add_book, store_file


class EchoAgent(RememberingAgent):
    """Echoes questions after a while."""

    def __init__(self, sessions: Sessions, *, least: float, most: float) -> None:
        super().__init__(sessions)
        self._least, self._most = least, most

    async def ask(self, question: Question) -> AsyncIterator[AskEvent]:
        await asyncio.sleep(random.uniform(self._least, self._most))
        async for event in super().ask(question):
            yield event


async def run(options: argparse.Namespace) -> None:
    settings = Settings(
        data_dir=options.data,
        discord_token=options.token,
        discord_api_base=options.api,
        discord_gateway_url=options.gateway,
    )
    async with open_store(options.data) as database:
        rules = TurnRules(at_once=options.at_once, join_seconds=0.3)
        _, turns, desk, _ = make_parts(database, allowance=Allowance(0, 0), rules=rules, data_dir=options.data)
        turns._agent = EchoAgent(Sessions(database, model="echo"), least=options.least, most=options.most)
        library = Library(database)
        if not await library.books(group=None):
            await add_book(library)
            await store_file(library, PASSAGES, place=PLACE)
        async with asyncio.TaskGroup() as group:
            working = group.create_task(turns.run())
            await run_discord(settings, turns, desk, asyncio.Event(), guild_ready_seconds=0.2)
            working.cancel()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--token", required=True)
    parser.add_argument("--api", required=True)
    parser.add_argument("--gateway", required=True)
    parser.add_argument("--least", type=float, default=0.01, help="seconds an answer takes at least")
    parser.add_argument("--most", type=float, default=0.3, help="seconds an answer takes at most")
    parser.add_argument("--at-once", type=int, default=8)
    options = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    asyncio.run(run(options))


if __name__ == "__main__":
    main()

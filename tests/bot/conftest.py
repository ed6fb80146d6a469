"""A real database, and turns at work on it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import pytest

from bot.limits import Allowance, Limits
from bot.turn_work import TurnRules
from bot.turns import Turns
from core.store.database import Database, open_database
from core.store.ledger import Ledger
from core.store.uses import Uses
from tests.bot.scripted import ScriptedAgent, ScriptedPlatform
from tests.empty_database import put_empty_database

QUICK = TurnRules(join_seconds=0.05, retry_pauses=(0.001, 0.001), places_every_seconds=0.001)


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with open_database(await put_empty_database(tmp_path / "footnote.db")) as opened:
        yield opened


@asynccontextmanager
async def running_turns(
    database: Database,
    agent: ScriptedAgent,
    platform: ScriptedPlatform,
    *,
    rules: TurnRules = QUICK,
    allowance: Allowance = Allowance(),  # noqa: B008
) -> AsyncIterator[Turns]:
    """Turns that work until the block ends, as a process does until it is killed."""
    limits = Limits(uses=Uses(database), allowance=allowance)
    turns = Turns(agent=agent, ledger=Ledger(database), limits=limits, rules=rules)
    turns.register("test", platform.open)
    async with AsyncExitStack() as stack:
        task = asyncio.create_task(turns.run())
        stack.push_async_callback(_end, task)
        yield turns


async def _end(task: "asyncio.Task[None]") -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task

"""The local Discord for each test; a request it does not know fails the test."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from core.store.database import Database
from tests.bot.adapters.discord.stage import Stage, make_stage
from tests.fakes.discord import LocalDiscord

MakeStage = Callable[..., Awaitable[Stage]]


@pytest.fixture
async def discord_server() -> AsyncIterator[LocalDiscord]:
    async with LocalDiscord().running() as server:
        yield server
        assert server.rest.unknown == []
        assert server.rates.refused == 0


@pytest.fixture
def staged(discord_server: LocalDiscord, database: Database, tmp_path: Path) -> MakeStage:
    """Makes a stage; calling it again is a restart with the same data."""

    async def make(*script: object, **options: object) -> Stage:
        return await make_stage(discord_server, database, tmp_path, *script, **options)  # type: ignore[arg-type]

    return make


@pytest.fixture
async def stage(staged: MakeStage) -> AsyncIterator[Stage]:
    """A stage with the bot on it, which echoes questions."""
    made = await staged()
    async with made.bot():
        yield made

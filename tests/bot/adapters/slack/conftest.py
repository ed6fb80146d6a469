"""The local Slack for each test; what no app should do fails the test."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from core.store.database import Database
from tests.bot.adapters.slack.stage import Stage, make_stage
from tests.fakes.slack import LocalSlack

MakeStage = Callable[..., Awaitable[Stage]]


@pytest.fixture
async def slack(request: pytest.FixtureRequest) -> AsyncIterator[LocalSlack]:
    """One workspace, or those that a test names as parameters."""
    async with LocalSlack(*getattr(request, "param", ()), retry_pauses=(0.0, 0.1, 0.1)) as server:
        yield server
        assert server.complaints == []
        assert server.sockets.unacked == []
        assert server.failures == [], "a failure was prepared that never came about"


@pytest.fixture
def staged(slack: LocalSlack, database: Database, tmp_path: Path) -> MakeStage:
    """Makes a stage; calling it again is a restart with the same data."""

    async def make(*script: object, **options: Any) -> Stage:
        return await make_stage(slack, database, tmp_path, *script, **options)

    return make


@pytest.fixture
async def short_stage(staged: MakeStage) -> AsyncIterator[Stage]:
    """A stage whose answers are too short to be streamed."""
    made = await staged(*["Yes [1]."] * 9)
    async with made.bot():
        yield made


@pytest.fixture
async def stage(staged: MakeStage) -> AsyncIterator[Stage]:
    """A stage with the bot on it, which echoes questions."""
    made = await staged()
    async with made.bot():
        yield made

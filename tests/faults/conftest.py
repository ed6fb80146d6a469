"""The local platforms, as scenarios of faults find them."""

from collections.abc import AsyncIterator

import pytest

from tests.fakes.discord import LocalDiscord
from tests.fakes.slack import LocalSlack


@pytest.fixture
async def discord() -> AsyncIterator[LocalDiscord]:
    async with LocalDiscord().running() as server:
        yield server


@pytest.fixture
async def slack() -> AsyncIterator[LocalSlack]:
    async with LocalSlack(retry_pauses=()) as server:
        yield server

"""Where Discord opens no more threads for some minutes, questions are answered all the same."""

from collections.abc import AsyncIterator

import discord
import pytest

from bot.adapters.discord.addresses import use_addresses
from bot.adapters.discord.pace import Pace
from bot.adapters.discord.target import MessageTarget
from bot.adapters.discord.threads import Threads
from tests.bot.adapters.discord.conftest import MakeStage
from tests.bot.adapters.discord.stage import Stage

STARTING = "POST /channels/{channel}/messages/{message}/threads"


@pytest.fixture
async def idle_stage(staged: MakeStage) -> Stage:
    """A stage on which nobody listens; Discord opens two threads in a channel within five minutes."""
    stage = await staged()
    stage.discord.rates.limits[STARTING] = (2, 300.0)
    return stage


@pytest.fixture
async def threads(idle_stage: Stage) -> AsyncIterator[Threads]:
    use_addresses(idle_stage.settings)
    client = discord.Client(intents=discord.Intents.none())
    async with client:
        await client.login(idle_stage.discord.token)
        yield Threads(client, Pace(), patience_seconds=0.3)


async def test_call_that_uses_up_a_channels_threads_is_not_waited_for(idle_stage: Stage, threads: Threads) -> None:
    channel = int(idle_stage.general["id"])
    asked = [int((await idle_stage.ask(f"question {number}"))["id"]) for number in range(3)]

    opened = [await threads.open(MessageTarget(channel, each, title="Why?")) for each in asked]

    assert opened == [asked[0], asked[1], None]


async def test_thread_that_is_there_is_used_though_no_more_are_opened(idle_stage: Stage, threads: Threads) -> None:
    channel = int(idle_stage.general["id"])
    asked = [int((await idle_stage.ask(f"question {number}"))["id"]) for number in range(2)]
    for each in asked:
        await threads.open(MessageTarget(channel, each, title="Why?"))

    assert await threads.open(MessageTarget(channel, asked[0], title="Why?")) == asked[0]

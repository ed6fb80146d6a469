"""The shard in a process of its own: what it outlives, and what outlives it."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from core.errors import ServiceDown
from core.retrieval.index.edge import open_edge_index
from core.retrieval.index.edge_shard import EdgeShard
from core.retrieval.index.shard_process import ShardProcess
from tests.core.retrieval.index.conftest import DIMENSION, direction, entry
from tests.core.retrieval.index.shard_calls import break_down, fail, own_pid, take
from tests.core.retrieval.index.test_trouble import spoil

SPACE = "dense-letters"
HOLDER = """
import asyncio, sys
from pathlib import Path
from core.retrieval.index.edge import open_edge_index

async def hold():
    index = await open_edge_index(Path(sys.argv[1]), model="letters", dimension=8, is_apart=True)
    print("open", flush=True)
    await asyncio.Event().wait()

asyncio.run(hold())
"""


@asynccontextmanager
async def open_shard(folder: Path) -> AsyncIterator[ShardProcess]:
    host = ShardProcess(folder)
    await host.open()
    await host.run(EdgeShard.add_space, SPACE, DIMENSION)
    try:
        yield host
    finally:
        await host.close()


async def test_it_is_another_process_and_ends_with_the_index(tmp_path: Path) -> None:
    async with open_shard(tmp_path) as host:
        pid = await host.run(own_pid)
        assert pid != os.getpid()

    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_a_killed_process_is_started_again_and_has_lost_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_shard(tmp_path) as host:
        await host.run(EdgeShard.put, SPACE, [entry("one", "robot", direction(1))])
        pid = await host.run(own_pid)
        os.kill(pid, signal.SIGKILL)

        assert await host.run(EdgeShard.count, ()) == 1
        assert await host.run(own_pid) != pid
    assert [each.message for each in caplog.records if each.name.endswith("shard_process")] == [
        "the index's process ended by itself; it is started again"
    ]


async def test_calls_in_flight_when_it_is_killed_are_made_again(tmp_path: Path) -> None:
    async with open_shard(tmp_path) as host:
        pid = await host.run(own_pid)
        calls = [asyncio.create_task(host.run(EdgeShard.count, ())) for _ in range(20)]
        os.kill(pid, signal.SIGKILL)

        assert await asyncio.gather(*calls) == [0] * 20


async def test_a_call_that_breaks_it_is_told_and_the_next_one_works(tmp_path: Path) -> None:
    async with open_shard(tmp_path) as host:
        with pytest.raises(ServiceDown, match="ended twice"):
            await host.run(break_down)

        assert await host.run(EdgeShard.count, ()) == 0


async def test_an_error_arrives_as_it_was_raised(tmp_path: Path) -> None:
    async with open_shard(tmp_path) as host:
        with pytest.raises(ServiceDown) as caught:
            await host.run(fail)

    assert (caught.value.service, caught.value.reason, caught.value.retry_after) == (
        "index",
        "the disk is full",
        7,
    )


async def test_an_answer_nobody_waits_for_any_more_falls_to_no_one_else(tmp_path: Path) -> None:
    async with open_shard(tmp_path) as host:
        given_up = asyncio.create_task(host.run(take, 0.05))
        following = asyncio.create_task(host.run(EdgeShard.count, ()))
        await asyncio.sleep(0)
        given_up.cancel()

        assert await following == 0
        assert await host.run(take, 0) == "late"


@pytest.mark.skipif(sys.platform == "win32", reason="there it is not signalled")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_being_told_to_stop_is_the_bots_business(tmp_path: Path, number: signal.Signals) -> None:
    async with open_shard(tmp_path) as host:
        pid = await host.run(own_pid)
        os.kill(pid, number)

        assert await host.run(own_pid) == pid


async def test_damaged_files_are_named_with_the_command_that_repairs_them(tmp_path: Path) -> None:
    async with open_shard(tmp_path) as host:
        await host.run(EdgeShard.put, SPACE, [entry("one", "robot", direction(1))])
    spoil(tmp_path)

    with pytest.raises(ServiceDown, match="footnote reindex"):
        await open_edge_index(tmp_path, model="letters", dimension=DIMENSION, is_apart=True)


@pytest.mark.parametrize("is_apart", [True, False])
async def test_the_files_are_free_once_the_bot_is_killed(tmp_path: Path, is_apart: bool) -> None:
    bot = await asyncio.create_subprocess_exec(sys.executable, "-c", HOLDER, str(tmp_path), stdout=PIPE)
    assert bot.stdout is not None
    assert await bot.stdout.readline() == b"open\n"
    bot.kill()
    await bot.wait()

    index = await open_edge_index(tmp_path, model="letters", dimension=DIMENSION, is_apart=is_apart)
    await index.close()

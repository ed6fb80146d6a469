"""The shard on a thread of this process: nothing to start, for commands that are soon over."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from core.retrieval.index.edge_shard import EdgeShard

P = ParamSpec("P")
T = TypeVar("T")


class ShardThread:
    """The one thread that may touch the shard, and the shard."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="index")
        self._shard: EdgeShard | None = None

    async def open(self) -> None:
        def work() -> None:
            self._shard = EdgeShard(self._folder)

        await asyncio.get_running_loop().run_in_executor(self._executor, work)

    async def run(self, call: Callable[Concatenate[EdgeShard, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        assert self._shard is not None, "the index is open while it is used"
        work = partial(call, self._shard, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(self._executor, work)

    async def close(self) -> None:
        if self._shard is not None:
            await self.run(EdgeShard.close)
            self._shard = None
        await asyncio.to_thread(self._executor.shutdown)

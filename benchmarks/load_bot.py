"""The bot of `make load`: both platforms and an ingestion in one process, which watches itself."""

import argparse
import asyncio
import json
import logging
import math
import random
import signal
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.memory import resident_mb
from bot.adapters.discord import run_discord
from bot.adapters.slack import run_slack
from bot.limits import Allowance
from bot.loaded import set_aside_what_is_loaded
from bot.turn_work import TurnRules
from core.ingestion.request import IngestRequest
from core.model import AskEvent, Question, TextEvent
from core.settings import Settings
from core.store.sessions import Sessions
from core.wiring import Core, open_core
from tests.bot.group import RememberingAgent, add_small_book, make_parts

TICK_SECONDS = 0.02
SAMPLE_BOOK = Path(__file__).parents[1] / "sample_book"


class SlowAgent(RememberingAgent):
    """Thinks as long as models do: mostly about *median* seconds, now and then several times as long."""

    def __init__(self, sessions: Sessions, *, median: float) -> None:
        super().__init__(sessions)
        self._median = median

    async def ask(self, question: Question) -> AsyncIterator[AskEvent]:
        seconds = min(60.0, random.lognormvariate(math.log(self._median), 0.7))
        await asyncio.sleep(seconds / 2)
        yield TextEvent("Let me see. ")
        await asyncio.sleep(seconds / 2)
        async for event in super().ask(question):
            yield event


@dataclass
class Watch:
    """What the process notices of itself."""

    memory_mb: list[float] = field(default_factory=list)
    stalls_ms: list[float] = field(default_factory=list)
    stalls_while_ingesting_ms: list[float] = field(default_factory=list)
    work_ms: list[float] = field(default_factory=list)
    work_while_ingesting_ms: list[float] = field(default_factory=list)
    """Processor time of the loop's own thread from one tick to the next: what is ours of a stall."""
    is_ingesting: bool = False
    ingestion_seconds: float = 0.0
    chunks: int = 0

    async def run(self) -> None:
        """Measure how late the loop is, and once a second how large the process has become."""
        next_sample = 0.0
        while True:
            begun, worked = time.perf_counter(), time.thread_time()
            await asyncio.sleep(TICK_SECONDS)
            late_ms = (time.perf_counter() - begun - TICK_SECONDS) * 1000
            work_ms = (time.thread_time() - worked) * 1000
            (self.stalls_while_ingesting_ms if self.is_ingesting else self.stalls_ms).append(round(late_ms, 1))
            (self.work_while_ingesting_ms if self.is_ingesting else self.work_ms).append(round(work_ms, 1))
            if begun >= next_sample:
                next_sample = begun + 1.0
                self.memory_mb.append(resident_mb())

    async def ingest(self, core: Core, *, after_seconds: float) -> None:
        """Take in a book in the middle of everything."""
        await asyncio.sleep(after_seconds)
        begun, self.is_ingesting = time.perf_counter(), True
        for copy in range(3):
            job = await core.ingestion.ingest(IngestRequest(str(SAMPLE_BOOK), f"copy-{copy}", f"Copy {copy}"))
            self.chunks += job.chunks_created
        self.is_ingesting = False
        self.ingestion_seconds = time.perf_counter() - begun


async def run(options: argparse.Namespace) -> None:
    places = json.loads(options.places)
    settings = Settings(data_dir=options.data, embedder="static", reranks=False, **places)
    stop, watch = asyncio.Event(), Watch()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    async with open_core(settings, is_index_apart=True) as core:
        await add_small_book(core.database)
        agent = SlowAgent(Sessions(core.database, model="slow"), median=options.median)
        rules = TurnRules(at_once=options.at_once, join_seconds=0.3)
        parts = make_parts(core.database, options.data, agent=agent, allowance=Allowance(0, 0), rules=rules)
        set_aside_what_is_loaded()
        works = [parts.turns.run(), watch.run(), watch.ingest(core, after_seconds=options.ingest_after)]
        tasks = [asyncio.create_task(work) for work in works]
        async with asyncio.TaskGroup() as group:
            group.create_task(run_discord(settings, parts.turns, parts.desk, stop, guild_ready_seconds=0.2))
            group.create_task(run_slack(settings, parts.turns, parts.desk, stop))
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    options.report.write_text(json.dumps(watch.__dict__))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--places", required=True, help="settings that name the local servers, as JSON")
    parser.add_argument("--report", type=Path, required=True)
    parser.add_argument("--median", type=float, default=1.0, help="seconds an answer takes in the middle")
    parser.add_argument("--at-once", type=int, default=64)
    parser.add_argument("--ingest-after", type=float, default=20.0)
    options = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    asyncio.run(run(options))


if __name__ == "__main__":
    main()

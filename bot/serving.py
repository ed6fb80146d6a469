"""Opens the core once, serves the page and every platform that has a token, and stops cleanly."""

import asyncio
import logging
import signal
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any

from bot.adapters.web import run_web
from bot.adapters.web.posts import Posts
from bot.desk import Desk
from bot.ending import end
from bot.limits import Allowance, Limits
from bot.loaded import set_aside_what_is_loaded
from bot.logs import set_up_logs
from bot.turn_work import TurnRules
from bot.turns import Turns
from bot.uploads import UPLOADS, Uploads
from core.ingestion.runner import Runner
from core.ports import Loadable
from core.settings import Settings
from core.store.places import Places
from core.store.uses import Uses
from core.upkeep import Upkeep
from core.wiring import Core, open_core

DRAIN_SECONDS = 8.0
"""How long answers in flight may take once we are told to stop; what is left then goes on at the next start."""

CLOSE_SECONDS = 1.5
"""How long a platform may take to say goodbye; both together stay below the ten seconds hosts usually wait."""

RESTART_SECONDS = 30
"""How long background work rests after it broke down."""

log = logging.getLogger(__name__)

Prepare = Callable[[Core], Coroutine[Any, Any, None]]


async def serve(settings: Settings, *, prepare: Prepare, on_ready: Callable[[], None]) -> None:
    """Serve until the process is told to stop, or a platform fails for good.

    *prepare* runs before anybody can ask, and is broken off when the process is told to stop; *on_ready* is called
    once everything is being served.

    Raises:
        FootnoteError: something cannot be served; the message says what to do.
    """
    set_up_logs(settings.log_level, is_json=settings.log_format == "json", secrets=settings.secrets)
    async with open_core(settings, is_index_apart=True) as core, _told_to_stop() as told:
        if not await _is_prepared(prepare(core), told):
            return
        limits = Limits(uses=Uses(core.database), allowance=Allowance.from_settings(settings))
        turns = Turns(agent=core.agent, ledger=core.ledger, limits=limits, rules=TurnRules.from_settings(settings))
        stop = asyncio.Event()
        platforms = _platforms(core, turns, make_desk(core, limits), stop)
        runner = Runner(jobs=core.jobs, ingestion=core.ingestion)
        upkeep = Upkeep(core, beside=[Posts(core.database).delete_before])
        set_aside_what_is_loaded()
        works = [_run_again(runner.run, "ingestion"), upkeep.run(), _load(core)]
        async with _background(works):
            await _serve_until(platforms, told=told, turns=turns, stop=stop, on_ready=on_ready)


def make_desk(core: Core, limits: Limits) -> Desk:
    """What every platform's commands go through, over an open core."""
    return Desk(
        library=core.library,
        sessions=core.sessions,
        searcher=core.retriever,
        jobs=core.jobs,
        ledger=core.ledger,
        places=Places(core.database),
        uses=Uses(core.database),
        feedback=core.feedback,
        limits=limits,
        uploads=Uploads(core.settings.data_dir / UPLOADS),
    )


def _platforms(core: Core, turns: Turns, desk: Desk, stop: asyncio.Event) -> list[Coroutine[Any, Any, None]]:
    settings = core.settings
    served: list[Coroutine[Any, Any, None]] = [run_web(settings, core, turns, desk, stop)]
    # The platforms' libraries take long to import, and whoever has no token does not need them.
    if settings.discord_token:
        from bot.adapters.discord import run_discord  # noqa: PLC0415 slow to import

        served.append(run_discord(settings, turns, desk, stop))
    if settings.slack_bot_token:
        from bot.adapters.slack import run_slack  # noqa: PLC0415 slow to import

        served.append(run_slack(settings, turns, desk, stop))
    return served


async def _is_prepared(preparing: Coroutine[Any, Any, None], told: asyncio.Event) -> bool:
    """Bring *preparing* to its end; False if we were told to stop before."""
    working, telling = asyncio.create_task(preparing), asyncio.create_task(told.wait())
    try:
        await asyncio.wait({working, telling}, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            await working
            return True
        log.info("stopping: the start is broken off")
        return False
    finally:
        # Told once: a book that is being taken in ends its processes in the meantime.
        working.cancel()
        telling.cancel()
        await asyncio.gather(working, telling, return_exceptions=True)


async def _serve_until(
    platforms: list[Coroutine[Any, Any, None]],
    *,
    told: asyncio.Event,
    turns: Turns,
    stop: asyncio.Event,
    on_ready: Callable[[], None],
) -> None:
    # Without its turns the bot would listen and never answer: should they break, the process ends, and the
    # next start takes up what is open.
    async with asyncio.TaskGroup() as group:
        working = group.create_task(turns.run())
        serving = [group.create_task(platform) for platform in platforms]
        asyncio.get_running_loop().call_soon(on_ready)
        await told.wait()
        log.info("stopping: %d answers in flight", turns.running_count)
        with suppress(TimeoutError):
            await asyncio.wait_for(turns.wait_idle(), DRAIN_SECONDS)
        stop.set()
        await asyncio.wait(serving, timeout=CLOSE_SECONDS)
        await end([*serving, working])


async def _run_again(work: Callable[[], Coroutine[Any, Any, None]], name: str) -> None:
    """Keep *work* going: what broke it may pass, such as a full disk."""
    while True:
        try:
            await work()
        except Exception:
            log.exception("%s broke down and is started again in %d s", name, RESTART_SECONDS)
            await asyncio.sleep(RESTART_SECONDS)


async def _load(core: Core) -> None:
    """Have the embedded models in memory before the first question."""
    models: tuple[object, ...] = (core.embedder, core.reranker)
    for model in models:
        if isinstance(model, Loadable):
            await model.load()
    log.info("the models are loaded")


@asynccontextmanager
async def _background(works: list[Coroutine[Any, Any, None]]) -> AsyncIterator[None]:
    """Run *works* beside the block, and end them with it."""
    tasks = [asyncio.create_task(work) for work in works]
    for task in tasks:
        task.add_done_callback(_tell_of_failure)
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _tell_of_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        log.error("a background work ended", exc_info=error)


@asynccontextmanager
async def _told_to_stop() -> AsyncIterator[asyncio.Event]:
    """An event that Ctrl-C and the host's request to stop set; a second one ends the process at once."""
    told, loop = asyncio.Event(), asyncio.get_running_loop()

    def tell(number: int) -> None:
        told.set()
        loop.remove_signal_handler(number)

    numbers = (signal.SIGINT, signal.SIGTERM)
    # Windows' loop has no signal handlers; Ctrl-C arrives there as KeyboardInterrupt.
    with suppress(NotImplementedError):
        for number in numbers:
            loop.add_signal_handler(number, tell, number)
    try:
        yield told
    finally:
        with suppress(NotImplementedError):
            for number in numbers:
                loop.remove_signal_handler(number)

"""The turn ledger at work: what arrives is stored, waits fairly, and is answered exactly once."""

import asyncio
import logging

from bot.fair_queue import FairQueue, Waiting
from bot.incoming import Incoming
from bot.limits import Limits
from bot.reply import Reply
from bot.surface import OpenSurface, Progress
from bot.timers import Timers
from bot.turn_work import Answerer, TurnRules, TurnWork
from core.errors import ServiceError
from core.model import SessionKey, Stage
from core.store.ledger import Ledger, Outcome
from core.store.turn import StoredTurn

log = logging.getLogger(__name__)

_PLACES = "places"

MAX_JOIN_WINDOWS = 4
"""A member who never stops typing is answered after this many windows all the same."""


class Turns:
    """Receives events of every platform and answers each once. `run` does the work."""

    def __init__(
        self,
        *,
        agent: Answerer,
        ledger: Ledger,
        limits: Limits,
        rules: TurnRules = TurnRules(),  # noqa: B008 - frozen
    ) -> None:
        self._agent = agent
        self._ledger = ledger
        self._limits = limits
        self._rules = rules
        self._surfaces: dict[str, OpenSurface] = {}
        self._paces: dict[str, float] = {}
        self._queue = FairQueue()
        self._works: dict[int, TurnWork] = {}
        self._admitted: set[int] = set()
        """Every turn this process has taken up: a second `resume` may read a turn that ends at that moment."""
        self._running: set[asyncio.Task[None]] = set()
        self._timers = Timers()
        self._deadlines: dict[int, float] = {}
        self._places: dict[int, int] = {}
        self._wake = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()

    # -- what adapters call ---------------------------------------------------------------------------------

    def register(self, platform: str, open_surface: OpenSurface, *, show_every_seconds: float = 0.0) -> None:
        """From now on replies to *platform* are shown by what *open_surface* gives, progress at most so often."""
        self._surfaces[platform] = open_surface
        self._paces[platform] = show_every_seconds

    async def receive(self, incoming: Incoming) -> bool:
        """Store an event, and have it answered. It is stored when this returns; False if it was known already.

        Raises:
            ServiceDown: it could not be stored; the adapter tells the member.
        """
        turn = await self._ledger.receive(incoming.to_new_turn(), join_seconds=self._rules.join_seconds)
        if turn is None:
            return False
        is_joined = turn.event_id != incoming.event_id
        if is_joined:
            self._wait_for_more(turn.id)
        else:
            self._admit(turn, is_resumed=False)
        return True

    async def tell(self, incoming: Incoming, reply: Reply) -> bool:
        """Store an event together with its reply, and have that delivered once; False if it was known already."""
        outcome = Outcome(kind=str(reply.kind), reason=reply.code)
        turn = await self._ledger.receive_answered(incoming.to_new_turn(), reply.to_dict(), outcome)
        if turn is None:
            return False
        self._admit(turn, is_resumed=False)
        return True

    async def resume(self, platform: str) -> int:
        """Take up what an earlier process left open; how many turns. Call it before listening to the platform."""
        left_open = [turn for turn in await self._ledger.open_turns(platform) if turn.id not in self._admitted]
        for turn in left_open:
            self._admit(turn, is_resumed=True)
        if left_open:
            log.info("taking up %d turns of %s that were left open", len(left_open), platform)
        return len(left_open)

    def stop(self, event_id: str) -> bool:
        """Break off the answer to an event, as its member asked; False if it is not being answered."""
        work = next((work for work in self._works.values() if work.turn.event_id == event_id), None)
        if work is None or not work.stop():
            return False
        self._ready(work.turn.id)
        return True

    def stop_all(self, key: SessionKey) -> int:
        """Break off every answer in one conversation; how many."""
        here = [work.turn.event_id for work in self._works.values() if work.turn.question.key == key]
        return sum(self.stop(event_id) for event_id in here)

    async def wait_idle(self) -> None:
        """Return when nothing is waiting, being answered or being delivered."""
        await self._idle.wait()

    @property
    def waiting_count(self) -> int:
        return len(self._queue)

    @property
    def running_count(self) -> int:
        return len(self._running)

    # -- the loop -------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Answer until cancelled. What is in flight then stays open in the ledger for the next start."""
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                self._start_what_fits()
        finally:
            await self._let_go()

    def _start_what_fits(self) -> None:
        while len(self._running) < self._rules.at_once and (turn := self._queue.take()) is not None:
            task = asyncio.create_task(self._work(turn))
            self._running.add(task)
            task.add_done_callback(self._running.discard)
            task.add_done_callback(lambda _: self._wake.set())
        self._show_places_soon()

    async def _work(self, waiting: Waiting) -> None:
        work = self._works[waiting.turn_id]
        try:
            await work.finish()
        except ServiceError as error:
            await self._try_later(waiting, work, error)
        except Exception:
            # Only the ledger itself can fail here; the row stays open and the next start takes it up.
            log.exception("turn %s was left open", work.turn.event_id)
            self._leave(waiting)
        else:
            self._leave(waiting)

    async def _try_later(self, waiting: Waiting, work: TurnWork, error: ServiceError) -> None:
        pauses = self._rules.retry_pauses
        if work.retries >= len(pauses):
            log.error("turn %s: giving up after %d attempts: %s", work.turn.event_id, work.retries + 1, error)
            try:
                await work.give_up(error)
            except ServiceError:
                log.exception("turn %s was left open", work.turn.event_id)
            self._leave(waiting)
            return
        pause = max(pauses[work.retries], error.retry_after or 0)
        work.retries += 1
        log.warning("turn %s: %s; again in %s s", work.turn.event_id, error, pause)
        self._timers.set(waiting.turn_id, pause, lambda: self._again(waiting))

    def _again(self, waiting: Waiting) -> None:
        # Its conversation was never released, so nothing overtook it.
        self._queue.put(waiting, is_first=True)
        self._queue.release(waiting.key)
        self._wake.set()

    def _leave(self, waiting: Waiting) -> None:
        self._queue.release(waiting.key)
        self._works.pop(waiting.turn_id, None)
        self._places.pop(waiting.turn_id, None)
        if not self._works:
            self._idle.set()

    async def _let_go(self) -> None:
        self._timers.cancel_all()
        for work in self._works.values():
            work.showing.cancel()
        tasks = list(self._running)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # -- waiting --------------------------------------------------------------------------------------------

    def _admit(self, turn: StoredTurn, *, is_resumed: bool) -> None:
        open_surface = self._surfaces.get(turn.question.key.platform)
        if open_surface is None:
            log.warning("turn %s waits for its platform to be served again", turn.event_id)
            return
        self._idle.clear()
        self._admitted.add(turn.id)
        work = self._works[turn.id] = TurnWork(
            turn,
            surface=open_surface(Incoming.from_turn(turn)),
            agent=self._agent,
            ledger=self._ledger,
            limits=self._limits,
            rules=self._rules,
            is_resumed=is_resumed,
            show_every_seconds=self._paces[turn.question.key.platform],
        )
        waits_for_more = turn.may_join and not is_resumed and self._rules.join_seconds > 0
        self._queue.put(Waiting(turn.id, turn.question.key), is_ready=not waits_for_more)
        if turn.reply is None:
            work.showing.show(Progress(stage=Stage.RECEIVED))
        if waits_for_more:
            loop = asyncio.get_running_loop()
            self._deadlines[turn.id] = loop.time() + MAX_JOIN_WINDOWS * self._rules.join_seconds
            self._wait_for_more(turn.id)
        else:
            self._wake.set()

    def _wait_for_more(self, turn_id: int) -> None:
        left = self._deadlines.get(turn_id, 0.0) - asyncio.get_running_loop().time()
        self._timers.set(turn_id, min(self._rules.join_seconds, left), lambda: self._ready(turn_id))

    def _ready(self, turn_id: int) -> None:
        self._deadlines.pop(turn_id, None)
        self._queue.make_ready(turn_id)
        self._wake.set()

    def _show_places_soon(self) -> None:
        """Tell those who wait how many come first, at most every second: a long line moves often."""
        if len(self._queue) and _PLACES not in self._timers:
            self._timers.set(_PLACES, self._rules.places_every_seconds, self._show_places)

    def _show_places(self) -> None:
        for place, turn_id in enumerate(self._queue.in_order()):
            is_waiting = turn_id in self._works and turn_id not in self._deadlines
            shown = self._places.get(turn_id)
            # In a long line each step would be an edit for each who waits; halving is news enough.
            if is_waiting and (shown is None or place <= shown // 2 < shown):
                self._places[turn_id] = place
                self._works[turn_id].showing.show(Progress(queue_place=place))

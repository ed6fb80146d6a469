"""The turn ledger at work: what arrives is stored, waits fairly, and is answered exactly once."""

import asyncio
import logging
from functools import partial
from time import monotonic

from bot.asking import Answerer
from bot.fair_queue import FairQueue, Waiting
from bot.incoming import Incoming
from bot.limits import Limits
from bot.reply import Reply
from bot.surface import OpenSurface, Progress
from bot.timers import Timers
from bot.turn_work import TurnRules, TurnWork
from bot.workers import Workers
from core.model import SessionKey, Stage
from core.store.ledger import Ledger
from core.store.turn import Outcome, StoredTurn

log = logging.getLogger(__name__)

_PLACES, _JOINING, _RETRYING = "places", "joining", "retrying"

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
        self._timers = Timers()
        self._deadlines: dict[int, float] = {}
        self._places: dict[int, int] = {}
        self._wake = asyncio.Event()
        self._workers = Workers(at_once=rules.at_once, when_free=self._wake.set)
        self._began_at = monotonic()
        self._idle = asyncio.Event()
        self._idle.set()

    # -- what adapters call ---------------------------------------------------------------------------------

    def register(self, platform: str, open_surface: OpenSurface, *, show_every_seconds: float = 0.0) -> None:
        """From now on replies to *platform* are shown by what *open_surface* gives, progress at most so often.

        That includes those on their way: what an adapter gave before may not work any more.
        """
        self._surfaces[platform] = open_surface
        self._paces[platform] = show_every_seconds
        for work in self._works.values():
            if work.turn.question.key.platform == platform:
                work.move_to(open_surface(Incoming.from_turn(work.turn)))

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
            try:
                self._admit(turn, is_resumed=True)
            except Exception:
                # One row that we stumble over must not cost the others their answer.
                log.exception("a turn cannot be taken up", extra={"turn": turn.event_id})
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
        return len(self._workers)

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
        while self._workers.has_room and (turn := self._queue.take()) is not None:
            work = self._works[turn.turn_id]
            start = self._workers.start_alone if work.is_suspect else self._workers.start
            start(partial(self._work, turn, work))
        self._show_places_soon()

    async def _work(self, waiting: Waiting, work: TurnWork) -> None:
        pause: float | None = None
        try:
            pause = await work.attempt()
        finally:
            # Whatever happened, the conversation goes on: with this turn in a while, or with the next one now.
            if pause is None:
                self._leave(waiting)
            else:
                self._timers.set((_RETRYING, waiting.turn_id), pause, lambda: self._again(waiting))

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
        await self._workers.cancel()

    # -- waiting --------------------------------------------------------------------------------------------

    def _admit(self, turn: StoredTurn, *, is_resumed: bool) -> None:
        open_surface = self._surfaces.get(turn.question.key.platform)
        if open_surface is None:
            log.warning("a turn waits for its platform to be served again", extra={"turn": turn.event_id})
            return
        if turn.id in self._admitted:
            # Stored a moment ago, and found by a `resume` before its own `receive` went on.
            return
        surface = open_surface(Incoming.from_turn(turn))
        self._idle.clear()
        self._admitted.add(turn.id)
        work = self._works[turn.id] = TurnWork(
            turn,
            surface=surface,
            agent=self._agent,
            ledger=self._ledger,
            limits=self._limits,
            rules=self._rules,
            is_resumed=is_resumed,
            show_every_seconds=self._paces[turn.question.key.platform],
        )
        is_joinable = turn.may_join and not is_resumed and self._rules.join_seconds > 0
        alone_in = self._began_at + work.alone_after_seconds - monotonic()
        self._queue.put(Waiting(turn.id, turn.question.key), is_ready=not is_joinable and alone_in <= 0)
        if turn.reply is None:
            work.showing.show(Progress(stage=Stage.RECEIVED))
        if is_joinable:
            self._deadlines[turn.id] = monotonic() + MAX_JOIN_WINDOWS * self._rules.join_seconds
            self._wait_for_more(turn.id)
        elif alone_in > 0:
            self._timers.set((_JOINING, turn.id), alone_in, lambda: self._ready(turn.id))
        else:
            self._wake.set()

    def _wait_for_more(self, turn_id: int) -> None:
        left = self._deadlines.get(turn_id, 0.0) - monotonic()
        self._timers.set((_JOINING, turn_id), min(self._rules.join_seconds, left), lambda: self._ready(turn_id))

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

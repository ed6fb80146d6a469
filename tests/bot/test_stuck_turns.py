"""Nothing keeps a conversation busy for ever, whatever the agent, the ledger or the platform does."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

from bot.limits import Allowance, Limits
from bot.turns import Turns
from core.model import AskEvent, Question
from core.store.database import Database
from core.store.ledger import Ledger
from core.store.turn import NewTurn, StoredTurn
from core.store.uses import Uses
from tests.bot.conftest import QUICK, running_turns
from tests.bot.scripted import WAIT, ScriptedAgent, ScriptedPlatform, to_incoming


class BreakingOffAgent(ScriptedAgent):
    """Breaks the first question off from within, as a library does that mistakes whose task it cancels."""

    async def ask(self, question: Question) -> AsyncIterator[AskEvent]:
        if not self.asked:
            self.asked.append(question)
            raise asyncio.CancelledError
        async for event in super().ask(question):
            yield event


class DeafAgent(ScriptedAgent):
    """Does not let its first question go when it is cancelled."""

    def __init__(self) -> None:
        super().__init__()
        self.may_end = asyncio.Event()

    async def ask(self, question: Question) -> AsyncIterator[AskEvent]:
        try:
            if not self.asked:
                self.asked.append(question)
                await asyncio.Event().wait()
        finally:
            await self.may_end.wait()
        async for event in super().ask(question):
            yield event


class SlowLedger(Ledger):
    """Stores an event, and takes its time to say so."""

    may_tell = asyncio.Event()

    async def receive(self, new: NewTurn, *, join_seconds: float = 0.0) -> StoredTurn | None:
        turn = await super().receive(new, join_seconds=join_seconds)
        await self.may_tell.wait()
        return turn


async def idle(turns: Turns) -> None:
    await asyncio.wait_for(turns.wait_idle(), WAIT)


async def test_answer_broken_off_from_within_is_told_and_the_conversation_goes_on(database: Database) -> None:
    agent, platform = BreakingOffAgent(), ScriptedPlatform()
    async with running_turns(database, agent, platform) as turns:
        await turns.receive(to_incoming("e1"))
        await turns.receive(to_incoming("e2"))
        await idle(turns)

    assert platform.order == ["e1", "e2"]
    assert platform.shown["e1"].replies[0].code == "unavailable"


async def test_agent_that_does_not_let_go_holds_its_conversation_no_longer_than_the_timeout(
    database: Database,
) -> None:
    agent, platform = DeafAgent(), ScriptedPlatform()
    rules = replace(QUICK, answer_timeout_seconds=0.01)
    async with running_turns(database, agent, platform, rules=rules) as turns:
        await turns.receive(to_incoming("e1"))
        await idle(turns)
        agent.may_end.set()

    assert platform.shown["e1"].replies[0].code == "timeout"


async def test_words_that_join_a_turn_while_it_pauses_do_not_stop_it_from_going_on(database: Database) -> None:
    """It was cut off before it began, and its row could not be written to at first."""
    agent, platform = ScriptedAgent(), ScriptedPlatform()
    rules = replace(QUICK, join_seconds=30.0, retry_pauses=(0.05,))
    await Ledger(database).receive(to_incoming("e1", "what is a node", may_join=True).to_new_turn())
    async with running_turns(database, agent, platform, rules=rules) as turns:
        await database.write_one("PRAGMA query_only = 1")
        await turns.resume("test")
        work = turns._works[1]
        while not work.retries:  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0)
        await database.write_one("PRAGMA query_only = 0")
        await turns.receive(to_incoming("e2", "and a topic?", may_join=True))
        await idle(turns)

    assert [question.text for question in agent.asked] == ["what is a node\nand a topic?"]
    assert platform.order == ["e1"]


async def test_turn_found_by_a_resume_before_its_own_receive_went_on_is_answered_once(database: Database) -> None:
    agent, platform, ledger = ScriptedAgent(), ScriptedPlatform(), SlowLedger(database)
    limits = Limits(uses=Uses(database), allowance=Allowance())
    turns = Turns(agent=agent, ledger=ledger, limits=limits, rules=QUICK)
    turns.register("test", platform.open)
    receiving = asyncio.create_task(turns.receive(to_incoming("e1")))
    while not await turns.resume("test"):
        pass
    ledger.may_tell.set()
    await receiving
    running = asyncio.create_task(turns.run())
    await turns.receive(to_incoming("e2"))
    await idle(turns)
    running.cancel()

    assert platform.order == ["e1", "e2"]
    assert len(agent.asked) == 2


async def test_row_that_cannot_be_taken_up_does_not_cost_the_others_their_answer(database: Database) -> None:
    agent, platform = ScriptedAgent(), ScriptedPlatform()
    for event in ("broken", "e1"):
        await Ledger(database).receive(to_incoming(event).to_new_turn())

    async with running_turns(database, agent, platform) as turns:

        def open_surface(incoming: object) -> object:
            if incoming.event_id == "broken":  # type: ignore[attr-defined]
                raise KeyError("kind")
            return platform.open(incoming)  # type: ignore[arg-type]

        turns.register("test", open_surface)  # type: ignore[arg-type]
        await turns.resume("test")
        await idle(turns)

    assert platform.order == ["e1"]

"""A question that ends the process is found out, and no other is given up for it."""

import asyncio
from dataclasses import replace

from bot.turns import Turns
from core.store.database import Database
from core.store.ledger import Ledger
from tests.bot.conftest import QUICK, running_turns
from tests.bot.scripted import WAIT, ScriptedAgent, ScriptedPlatform, to_incoming, to_key

AT_ONCE = replace(QUICK, alone_after_seconds=(0.0, 0.0, 0.0))
POISON = "the question that ends the process"


async def idle(turns: Turns) -> None:
    await asyncio.wait_for(turns.wait_idle(), WAIT)


async def leave_open(database: Database, *events: str, attempts: int) -> None:
    """As processes leave turns behind that ended in their midst."""
    for event in events:
        await Ledger(database).receive(to_incoming(event, event, key=to_key(thread=event)).to_new_turn())
    async with database.write() as tx:
        await tx.execute("UPDATE turns SET attempts = ?, state = 'answering'", (attempts,))


async def live(database: Database, platform: ScriptedPlatform) -> bool:
    """One life of a process, which the poison ends; whether it came to the end of its work."""
    agent = ScriptedAgent(is_gated=True)
    async with running_turns(database, agent, platform, rules=AT_ONCE) as turns:
        await turns.resume("test")
        done = asyncio.create_task(turns.wait_idle())
        while not done.done():
            asking = asyncio.create_task(agent.started.get())
            await asyncio.wait({done, asking}, return_when=asyncio.FIRST_COMPLETED, timeout=WAIT)
            asking.cancel()
            if POISON in [question.text for question in agent.asked]:
                done.cancel()
                return False
            agent.release()
        return True


async def test_question_that_ends_the_process_each_time_is_given_up_and_the_others_are_answered(
    database: Database,
) -> None:
    platform, others = ScriptedPlatform(), [f"e{number}" for number in range(5)]
    for event in (*others[:3], POISON, *others[3:]):
        await Ledger(database).receive(to_incoming(event, event, key=to_key(thread=event)).to_new_turn())

    deaths = 0
    while not await live(database, platform):
        deaths += 1

    assert deaths == 6
    assert "6 times" in platform.text(POISON)
    # One that was delivered but not yet noted so when the process ended is delivered once more, as an edit.
    told = [{reply.text for reply in platform.shown[event].replies} for event in others]
    assert told == [{f"You asked: {event} [1]"} for event in others]


async def test_question_that_was_often_cut_off_is_answered_with_the_process_to_itself(database: Database) -> None:
    await leave_open(database, "suspect", attempts=3)
    agent, platform = ScriptedAgent(is_gated=True), ScriptedPlatform()
    async with running_turns(database, agent, platform, rules=AT_ONCE) as turns:
        await turns.receive(to_incoming("before", "before"))
        await asyncio.wait_for(agent.started.get(), WAIT)
        await turns.resume("test")
        await turns.receive(to_incoming("after", "after", key=to_key(thread="a")))
        agent.release(3)
        await idle(turns)

    assert [question.text for question in agent.asked] == ["before", "suspect", "after"]
    assert agent.most_at_once == 1


async def test_nobody_waits_for_a_suspect_while_the_process_is_young(database: Database) -> None:
    await leave_open(database, "suspect", attempts=4)
    agent, platform = ScriptedAgent(), ScriptedPlatform()
    rules = replace(QUICK, alone_after_seconds=(0.0, 3600.0, 3600.0))
    async with running_turns(database, agent, platform, rules=rules) as turns:
        await turns.resume("test")
        await turns.receive(to_incoming("other", "other"))
        await asyncio.wait_for(platform.delivered.get(), WAIT)

    assert [question.text for question in agent.asked] == ["other"]
    suspect = (await Ledger(database).open_turns("test"))[0]
    assert (suspect.event_id, suspect.attempts) == ("suspect", 4)


async def test_suspect_is_answered_as_soon_as_the_process_has_lived_for_long_enough(database: Database) -> None:
    await leave_open(database, "suspect", attempts=4)
    agent, platform = ScriptedAgent(), ScriptedPlatform()
    rules = replace(QUICK, alone_after_seconds=(3600.0, 0.02, 3600.0))
    async with running_turns(database, agent, platform, rules=rules) as turns:
        await turns.resume("test")
        await idle(turns)

    assert platform.text("suspect") == "You asked: suspect [1]"


async def test_turn_that_begins_again_in_the_same_process_is_no_nearer_to_being_given_up(
    database: Database,
) -> None:
    ledger = Ledger(database)
    await ledger.receive(to_incoming("e1").to_new_turn())

    first = await ledger.answering(1)
    again = await ledger.answering(1, is_again=True)

    assert (first.attempts, again.attempts) == (1, 1)

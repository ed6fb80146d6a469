"""Every event is answered exactly once, in order, fairly, and through failures."""

import asyncio
import logging
from dataclasses import replace

import pytest

from bot import wording
from bot.limits import Allowance, Budget
from bot.reply import ReplyKind
from bot.surface import Undeliverable
from bot.turn_work import TurnRules
from core.errors import QuestionError, ServiceDown
from core.store.database import Database
from core.store.ledger import Ledger
from tests.bot.conftest import QUICK, running_turns
from tests.bot.scripted import WAIT, ScriptedAgent, ScriptedPlatform, to_incoming, to_key
from tests.logged import fields


async def idle(turns: object) -> None:
    await asyncio.wait_for(turns.wait_idle(), WAIT)  # type: ignore[attr-defined]


async def state(database: Database, event_id: str) -> str:
    row = await database.fetch_one("SELECT state FROM turns WHERE event_id = ?", (event_id,))
    assert row is not None
    return str(row["state"])


async def test_question_is_stored_before_receive_returns_and_answered_once(database: Database) -> None:
    agent, platform = ScriptedAgent("Yes [1].", is_gated=True), ScriptedPlatform()
    async with running_turns(database, agent, platform) as turns:
        assert await turns.receive(to_incoming("e1"))

        assert await state(database, "e1") in {"received", "answering"}
        agent.release()
        await idle(turns)

    assert platform.text("e1") == "Yes [1]."
    assert await state(database, "e1") == "done"
    turn = await Ledger(database).find("message-of-e1", group="test:1")
    assert turn is not None
    assert turn.event_id == "e1"


async def test_same_event_again_is_a_no_op_at_any_time(database: Database) -> None:
    agent, platform = ScriptedAgent(is_gated=True), ScriptedPlatform()
    async with running_turns(database, agent, platform) as turns:
        first = await asyncio.gather(*(turns.receive(to_incoming("e1")) for _ in range(5)))
        agent.release()
        await idle(turns)
        after = await turns.receive(to_incoming("e1"))

    assert sorted(first) == [False, False, False, False, True]
    assert after is False
    assert len(agent.asked) == 1
    assert platform.order == ["e1"]


async def test_one_conversation_is_answered_in_order_while_others_go_on(database: Database) -> None:
    agent, platform = ScriptedAgent(is_gated=True), ScriptedPlatform()
    async with running_turns(database, agent, platform) as turns:
        for event, thread in (("a1", "a"), ("a2", "a"), ("b1", "b")):
            await turns.receive(to_incoming(event, event, key=to_key(thread=thread)))
        began = {(await asyncio.wait_for(agent.started.get(), WAIT)).text for _ in range(2)}
        agent.release(3)
        await idle(turns)

    assert began == {"a1", "b1"}
    assert platform.order.index("a1") < platform.order.index("a2")


async def test_no_more_turns_run_at_once_than_the_cap(database: Database) -> None:
    agent, platform = ScriptedAgent(is_gated=True), ScriptedPlatform()
    rules = TurnRules(at_once=3, places_every_seconds=0.001)
    async with running_turns(database, agent, platform, rules=rules) as turns:
        for number in range(10):
            await turns.receive(to_incoming(f"e{number}", key=to_key(thread=str(number))))
        for _ in range(3):
            await asyncio.wait_for(agent.started.get(), WAIT)
        agent.release(10)
        await idle(turns)

    assert agent.most_at_once == 3
    assert len(platform.order) == 10


async def test_small_group_is_not_starved_by_a_busy_one(database: Database) -> None:
    agent, platform = ScriptedAgent(is_gated=True), ScriptedPlatform()
    async with running_turns(database, agent, platform, rules=TurnRules(at_once=1)) as turns:
        for number in range(20):
            await turns.receive(to_incoming(f"busy{number}", key=to_key(group="test:big", thread=str(number))))
        await turns.receive(to_incoming("small", key=to_key(group="test:small")))
        agent.release(21)
        await idle(turns)

    assert platform.order.index("small") <= 2


async def test_waiting_member_sees_the_place_in_the_queue(database: Database) -> None:
    agent, platform = ScriptedAgent(is_gated=True), ScriptedPlatform()
    rules = TurnRules(at_once=1, places_every_seconds=0.001)
    async with running_turns(database, agent, platform, rules=rules) as turns:
        for number in range(3):
            await turns.receive(to_incoming(f"e{number}", key=to_key(thread=str(number))))
        places: dict[str, int] = {}
        while len(places) < 2:
            event, progress = await asyncio.wait_for(platform.progressed.get(), WAIT)
            if progress.queue_place is not None:
                places[event] = progress.queue_place
        agent.release(3)
        await idle(turns)

    assert places == {"e1": 0, "e2": 1}


async def test_messages_of_one_member_within_the_window_are_one_question(database: Database) -> None:
    agent, platform = ScriptedAgent(), ScriptedPlatform()
    async with running_turns(database, agent, platform) as turns:
        await turns.receive(to_incoming("e1", "what is a node", may_join=True))
        await turns.receive(to_incoming("e2", "and a topic?", may_join=True))
        await turns.receive(to_incoming("e3", "something else", may_join=True, member="bob"))
        await idle(turns)

    assert [question.text for question in agent.asked] == ["what is a node\nand a topic?", "something else"]
    assert platform.order == ["e1", "e3"]
    assert await state(database, "e2") == "joined"


async def test_commands_are_never_joined(database: Database) -> None:
    agent, platform = ScriptedAgent(), ScriptedPlatform()
    async with running_turns(database, agent, platform) as turns:
        await turns.receive(to_incoming("e1", "first"))
        await turns.receive(to_incoming("e2", "second"))
        await idle(turns)

    assert platform.order == ["e1", "e2"]


async def test_words_that_would_make_the_question_too_long_are_a_question_of_their_own(database: Database) -> None:
    agent, platform = ScriptedAgent(), ScriptedPlatform()
    async with running_turns(database, agent, platform) as turns:
        await turns.receive(to_incoming("e1", "a" * 1500, may_join=True))
        await turns.receive(to_incoming("e2", "b" * 1500, may_join=True))
        await idle(turns)

    assert [len(question.text) for question in agent.asked] == [1500, 1500]


@pytest.mark.parametrize("stage", ["received", "answering", "answered", "delivering"])
async def test_after_a_crash_the_next_start_brings_the_turn_to_its_end(database: Database, stage: str) -> None:
    ledger = Ledger(database)
    agent, platform = ScriptedAgent("Before the crash [1]."), ScriptedPlatform()
    async with running_turns(database, agent, platform) as turns:
        await turns.receive(to_incoming("e1"))
        await idle(turns)
    async with database.write() as tx:
        reply = "" if stage in {"answered", "delivering"} else ", reply = NULL"
        await tx.execute(f"UPDATE turns SET state = ?{reply}, attempts = 1 WHERE event_id = 'e1'", (stage,))

    again, restarted = ScriptedAgent("After the crash [1]."), ScriptedPlatform()
    async with running_turns(database, again, restarted) as turns:
        assert await turns.resume("test") == 1
        assert await turns.resume("test") == 0
        await idle(turns)
        assert await turns.resume("test") == 0

    expected = "Before the crash [1]." if stage in {"answered", "delivering"} else "After the crash [1]."
    assert restarted.text("e1") == expected
    delivery = restarted.shown["e1"].deliveries[0]
    assert delivery.posted == ("message-of-e1",)
    assert delivery.is_retry
    assert delivery.nonce == platform.shown["e1"].deliveries[0].nonce
    assert await ledger.open_turns("test") == []


async def test_turn_cut_off_while_answering_is_left_open(database: Database) -> None:
    agent, platform = ScriptedAgent(is_gated=True), ScriptedPlatform()
    async with running_turns(database, agent, platform) as turns:
        await turns.receive(to_incoming("e1"))
        await asyncio.wait_for(agent.started.get(), WAIT)

    assert [turn.event_id for turn in await Ledger(database).open_turns("test")] == ["e1"]
    assert platform.order == []


async def test_late_answer_says_that_it_is_late(database: Database) -> None:
    agent, platform = ScriptedAgent(), ScriptedPlatform()
    async with running_turns(database, agent, platform) as turns:
        await turns.receive(to_incoming("e1", is_late=True))
        await idle(turns)

    assert wording.LATE in platform.shown["e1"].replies[0].notes


async def test_platform_that_is_away_gets_the_reply_later(database: Database) -> None:
    agent = ScriptedAgent()
    platform = ScriptedPlatform(ServiceDown("test", "away"), ServiceDown("test", "away"))
    async with running_turns(database, agent, platform) as turns:
        await turns.receive(to_incoming("e1"))
        await turns.receive(to_incoming("e2"))
        await idle(turns)

    assert platform.order == ["e1", "e2"]
    assert len(agent.asked) == 2
    assert [delivery.is_retry for delivery in platform.shown["e1"].deliveries] == [False, True, True]


async def test_platform_that_stays_away_is_given_up(database: Database) -> None:
    platform = ScriptedPlatform(ServiceDown("test", "away"))
    rules = replace(QUICK, give_up_after_seconds=0)
    async with running_turns(database, ScriptedAgent(), platform, rules=rules) as turns:
        await turns.receive(to_incoming("e1"))
        await idle(turns)

    assert await state(database, "e1") == "failed"


async def test_platform_that_is_away_for_longer_than_all_pauses_still_gets_the_reply(database: Database) -> None:
    platform = ScriptedPlatform(*[ServiceDown("test", "away")] * 9)
    async with running_turns(database, ScriptedAgent(), platform) as turns:
        await turns.receive(to_incoming("e1"))
        await idle(turns)

    assert platform.order == ["e1"]


async def test_platform_that_is_served_anew_gets_what_the_old_one_did_not_take(database: Database) -> None:
    left, entered = ScriptedPlatform(*[ServiceDown("test", "closed")] * 1000), ScriptedPlatform()
    async with running_turns(database, ScriptedAgent(), left) as turns:
        await turns.receive(to_incoming("e1"))
        await asyncio.wait_for(left.progressed.get(), WAIT)
        turns.register("test", entered.open)
        await idle(turns)

    assert entered.order == ["e1"]
    assert entered.shown["e1"].deliveries[0].is_retry


async def test_reply_that_can_never_be_shown_fails_at_once_with_its_reason(database: Database) -> None:
    platform = ScriptedPlatform(Undeliverable("the channel is gone"))
    async with running_turns(database, ScriptedAgent(), platform) as turns:
        await turns.receive(to_incoming("e1"))
        await idle(turns)

    row = await database.fetch_one("SELECT state, reason FROM turns")
    assert row is not None
    assert tuple(row) == ("failed", "undeliverable: the channel is gone")


async def test_mistake_in_showing_a_reply_still_gives_the_member_a_sentence(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    platform = ScriptedPlatform(ZeroDivisionError("ours"))
    async with running_turns(database, ScriptedAgent(), platform) as turns:
        await turns.receive(to_incoming("e1"))
        await idle(turns)

    reply = platform.shown["e1"].replies[0]
    assert "broke on my side" in reply.text
    assert fields(caplog, "reference") == [reply.reference]
    assert fields(caplog, "turn") == ["e1"]


async def test_failure_becomes_a_sentence_with_the_reference_of_the_log(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    agent, platform = ScriptedAgent(ZeroDivisionError("secret detail")), ScriptedPlatform()
    with caplog.at_level(logging.INFO):
        async with running_turns(database, agent, platform) as turns:
            await turns.receive(to_incoming("e1", "private words"))
            await idle(turns)

    reply = platform.shown["e1"].replies[0]
    assert len(reply.reference) == 6
    assert reply.reference in reply.text
    assert fields(caplog, "reference") == [reply.reference]
    assert fields(caplog, "turn") == ["e1"]
    assert "secret detail" not in reply.text
    assert "private words" not in caplog.text


async def test_question_error_says_how_to_ask_and_logs_nothing(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    agent, platform = ScriptedAgent(QuestionError("Ask about one book.")), ScriptedPlatform()
    async with running_turns(database, agent, platform) as turns:
        await turns.receive(to_incoming("e1"))
        await idle(turns)

    assert platform.text("e1") == "Ask about one book."
    assert platform.shown["e1"].replies[0].code == "invalid"
    assert caplog.text == ""


async def test_answer_that_never_comes_is_broken_off_with_a_sentence(database: Database) -> None:
    agent, platform = ScriptedAgent(is_gated=True), ScriptedPlatform()
    rules = TurnRules(answer_timeout_seconds=0.01)
    async with running_turns(database, agent, platform, rules=rules) as turns:
        await turns.receive(to_incoming("e1"))
        await idle(turns)

    assert "took too long" in platform.text("e1")
    assert platform.shown["e1"].replies[0].code == "timeout"


async def test_stop_breaks_off_a_running_answer(database: Database) -> None:
    agent, platform = ScriptedAgent(is_gated=True), ScriptedPlatform()
    async with running_turns(database, agent, platform) as turns:
        await turns.receive(to_incoming("e1"))
        await asyncio.wait_for(agent.started.get(), WAIT)

        assert turns.stop("e1")
        await idle(turns)
        assert not turns.stop("e1")

    assert platform.text("e1") == wording.STOPPED
    assert agent.at_once == 0


async def test_stop_reaches_those_who_still_wait(database: Database) -> None:
    agent, platform = ScriptedAgent(is_gated=True), ScriptedPlatform()
    async with running_turns(database, agent, platform) as turns:
        await turns.receive(to_incoming("e1"))
        await turns.receive(to_incoming("e2"))
        await asyncio.wait_for(agent.started.get(), WAIT)

        assert turns.stop_all(to_key()) == 2
        await idle(turns)

    assert [platform.text(event) for event in ("e1", "e2")] == [wording.STOPPED] * 2
    assert len(agent.asked) == 1


async def test_over_the_limit_the_wait_is_told_and_a_restart_does_not_reset_it(database: Database) -> None:
    allowance = Allowance(member_per_minute=2)
    agent, platform = ScriptedAgent(), ScriptedPlatform()
    for number in range(3):
        async with running_turns(database, agent, platform, allowance=allowance) as turns:
            await turns.receive(to_incoming(f"e{number}", key=to_key(thread=str(number))))
            await turns.receive(to_incoming(f"bob{number}", member="bob", key=to_key(thread=f"b{number}")))
            await idle(turns)

    refused = platform.shown["e2"].replies[0]
    assert refused.kind is ReplyKind.NOTICE
    assert refused.code == "rate_limited"
    assert refused.retry_after is not None
    assert 50 < refused.retry_after <= 60
    assert f"{refused.retry_after} seconds" in refused.text
    assert len(agent.asked) == 4


@pytest.mark.parametrize(
    "allowance",
    [
        pytest.param(Allowance(group_day=Budget(tokens=15)), id="the group's tokens"),
        pytest.param(Allowance(group_day=Budget(questions=2)), id="the group's questions"),
        pytest.param(Allowance(member_day=Budget(tokens=15)), id="the member's tokens"),
        pytest.param(Allowance(member_day=Budget(questions=2)), id="the member's questions"),
    ],
)
async def test_whoever_spent_the_days_budget_is_answered_without_the_model(
    database: Database, allowance: Allowance
) -> None:
    agent, platform = ScriptedAgent(), ScriptedPlatform()
    async with running_turns(database, agent, platform, allowance=allowance) as turns:
        for number in range(3):
            await turns.receive(to_incoming(f"e{number}"))
            await idle(turns)

        await turns.receive(to_incoming("bob", member="bob", key=to_key(thread="bob")))
        await idle(turns)

    is_members_own = allowance.group_day == Budget()
    assert [question.may_use_model for question in agent.asked] == [True, True, False, is_members_own]


async def test_progress_that_cannot_be_shown_costs_nobody_the_answer(database: Database) -> None:
    platform = ScriptedPlatform()
    agent = ScriptedAgent("Yes [1].")

    class Broken:
        def __init__(self, surface: object) -> None:
            self.deliver = surface.deliver  # type: ignore[attr-defined]

        async def show(self, progress: object, delivery: object) -> None:
            raise OSError("no")

    async with running_turns(database, agent, platform) as turns:
        turns.register("test", lambda incoming: Broken(platform.open(incoming)))
        await turns.receive(to_incoming("e1"))
        await idle(turns)

    assert platform.text("e1") == "Yes [1]."


async def test_platform_nobody_serves_keeps_its_turn_for_later(database: Database) -> None:
    agent, platform = ScriptedAgent(), ScriptedPlatform()
    async with running_turns(database, agent, platform, rules=QUICK) as turns:
        turns._surfaces.clear()
        await turns.receive(to_incoming("e1"))
        turns.register("test", platform.open)
        await turns.resume("test")
        await idle(turns)

    assert platform.order == ["e1"]

"""Limits, budgets, places and reports are read from rows, so a restart resets nothing."""

import pytest

from core.model import Question, SessionKey
from core.store.database import Database
from core.store.feedback import Feedback, Verdict
from core.store.ledger import Ledger
from core.store.places import Places
from core.store.turn import NewTurn, Outcome
from core.store.uses import DAY, Uses

KEY = SessionKey("test", "test:1", "c", "t")


class Clock:
    """Time that moves when told."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def new_turn(event: str, text: str = "What is a node?", *, member: str = "ann", key: SessionKey = KEY) -> NewTurn:
    return NewTurn(event, member, member.title(), Question(text, key=key), "2026-01-01T00:00:00.000Z")


async def ask(ledger: Ledger, event: str, text: str = "What is a node?", *, member: str = "ann") -> int:
    """One question that is being answered; the number of its turn."""
    turn = await ledger.receive(new_turn(event, text, member=member))
    assert turn is not None
    return (await ledger.answering(turn.id)).id


async def test_wait_is_until_the_oldest_use_leaves_the_window(database: Database, clock: Clock) -> None:
    ledger, uses = Ledger(database, clock=clock), Uses(database, clock=clock)
    for event in ("e1", "e2"):
        await ask(ledger, event)
        clock.now += 10

    wait = await uses.wait_seconds(group="test:1", member_id="ann", limit=2, before=None)
    assert wait == pytest.approx(40)
    clock.now += 41
    assert await uses.wait_seconds(group="test:1", member_id="ann", limit=2, before=None) == 0


async def test_question_does_not_count_against_itself_and_others_not_against_a_member(
    database: Database, clock: Clock
) -> None:
    ledger, uses = Ledger(database, clock=clock), Uses(database, clock=clock)
    await ask(ledger, "e1")
    await ask(ledger, "e2", member="bob")

    assert await uses.wait_seconds(group="test:1", member_id="ann", limit=1, before="e1") == 0
    assert await uses.wait_seconds(group="test:1", member_id=None, limit=2, before="e2") == 0
    assert await uses.wait_seconds(group="test:1", member_id=None, limit=2, before=None) > 0


async def test_refused_question_is_not_counted(database: Database, clock: Clock) -> None:
    ledger, uses = Ledger(database, clock=clock), Uses(database, clock=clock)
    await ask(ledger, "e1")

    await uses.refuse("e1")

    assert (await uses.today(group="test:1")).questions == 0


async def test_tokens_and_cost_of_the_day_begin_anew_at_midnight(database: Database, clock: Clock) -> None:
    ledger, uses = Ledger(database, clock=clock), Uses(database, clock=clock)
    turn_id = await ask(ledger, "e1")
    await ledger.answered(turn_id, {"text": "x"}, Outcome("answer", tokens_used=120, cost_usd=0.5))

    today = await uses.today(group="test:1", member_id="ann")
    assert (today.tokens, today.cost_usd) == (120, 0.5)
    clock.now += DAY - clock.now % DAY + 1
    assert (await uses.today(group="test:1")).tokens == 0


async def test_report_counts_the_same_question_once_and_only_of_its_days(database: Database, clock: Clock) -> None:
    ledger, feedback = Ledger(database, clock=clock), Feedback(database, clock=clock)
    for event, text in (
        ("old", "Who was first?"),
        ("e1", "Who invented cheese?"),
        ("e2", "who invented cheese? "),
    ):
        turn = await ledger.receive(new_turn(event, text))
        assert turn is not None
        await ledger.answered(turn.id, {"text": "no"}, Outcome("refusal"))
        if event == "old":
            clock.now += 8 * DAY

    report = await feedback.report(group="test:1", days=7)

    assert [(each.text.lower(), each.times) for each in report.unanswered] == [("who invented cheese?", 2)]
    assert (await feedback.report(group="test:2", days=7)).unanswered == ()


async def test_last_verdict_of_a_member_counts_and_its_comment_stays(database: Database) -> None:
    ledger, feedback = Ledger(database), Feedback(database)
    turn = await ledger.receive(new_turn("e1"))
    assert turn is not None
    await feedback.give(turn.id, member_id="ann", verdict=Verdict.DOWN, comment="too short")
    await feedback.give(turn.id, member_id="ann", verdict=Verdict.UP)
    await feedback.give(turn.id, member_id="bob", verdict=Verdict.DOWN)

    assert await feedback.votes(turn.id) == (1, 1)
    exported = await feedback.export(group="test:1")
    assert [(each["verdict"], each["comment"]) for each in exported] == [("up", "too short"), ("down", None)]


async def test_places_know_what_is_ours_and_what_is_muted(database: Database, clock: Clock) -> None:
    places, ledger = Places(database, clock=clock), Ledger(database, clock=clock)
    assert not await places.is_ours(KEY)
    await ledger.receive(new_turn("e1"))
    await places.mute(KEY)
    await places.mute(KEY)

    assert await places.is_ours(KEY)
    assert await places.is_muted(KEY)
    await places.unmute(KEY)
    assert not await places.is_muted(KEY)
    assert await places.recent("test", since=clock.now - 1) == [KEY]
    assert await places.recent("test", since=clock.now + 1) == []


async def test_presence_is_the_last_time_we_listened(database: Database, clock: Clock) -> None:
    places = Places(database, clock=clock)
    assert await places.last_listened("test") is None
    for _ in range(2):
        clock.now += 5
        await places.listened("test")

    assert await places.last_listened("test") == clock.now


async def test_retention_deletes_finished_turns_and_leaves_open_ones(database: Database, clock: Clock) -> None:
    ledger, places = Ledger(database, clock=clock), Places(database, clock=clock)
    for event in ("done", "open"):
        turn = await ledger.receive(new_turn(event))
        assert turn is not None
        if event == "done":
            await ledger.done(turn.id)

    assert await places.delete_before(clock.now + 1) == 1
    assert [turn.event_id for turn in await ledger.open_turns("test")] == ["open"]

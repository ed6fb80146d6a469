"""After a crash at any point every question is answered exactly once; after an absence, late."""

import asyncio
from dataclasses import replace

import pytest

from bot import wording
from bot.adapters.slack.catching_up import HEARD_ALL, Patience
from bot.adapters.slack.connecting import Watch
from bot.adapters.slack.place import PLATFORM
from bot.turn_work import TurnRules
from tests.bot.adapters.slack.conftest import MakeStage
from tests.bot.adapters.slack.stage import Stage, texts
from tests.fakes.slack.world import Json


async def be_away(stage: Stage, *, seconds: float = 3600) -> None:
    """Let the time pass since we last listened; Slack has given up what it tried to deliver."""
    async with stage.database.write() as tx:
        await tx.execute("UPDATE presence SET seen_at = seen_at - ?", (seconds,))
    for delivery in stage.slack.people.deliveries:
        delivery.cancel()
    await asyncio.gather(*stage.slack.people.deliveries, return_exceptions=True)
    stage.slack.people.deliveries.clear()


async def said_once(stage: Stage, channel: str, asked: Json, question: str) -> Json:
    """The late reply to a question that was missed, which stands there once."""
    thread = str(asked.get("thread_ts") or asked["ts"])
    reply = await stage.slack.reply(channel, thread)
    await stage.settled()
    assert question in texts(reply["blocks"])
    assert len(stage.slack.world.replies(channel, thread)) == 1
    return reply


async def test_what_was_asked_before_a_restart_is_answered_after_it(staged: MakeStage) -> None:
    before = await staged(is_gated=True)
    async with before.bot():
        asked = before.ask()
        await before.parts.agent.started.get()

    after = await staged()
    async with after.bot():
        reply = await after.slack.reply(after.general, asked["ts"])
        await after.settled()

    assert "You asked: What is a node?" in texts(reply["blocks"])
    assert len(after.slack.world.replies(after.general, asked["ts"])) == 1


async def test_what_waited_through_a_restart_is_answered_without_reading_history(staged: MakeStage) -> None:
    before = await staged(is_gated=True, rules=TurnRules(at_once=1, join_seconds=0.05))
    async with before.bot():
        asked = [before.ask(f"question {number}?") for number in range(3)]
        await asyncio.gather(*before.slack.people.deliveries)

    after = await staged()
    async with after.bot():
        for each in asked:
            await after.slack.reply(after.general, each["ts"])
        await after.settled()

    assert after.slack.count("conversations.replies") == 0


async def test_a_stream_left_open_by_a_crash_is_finished_after_the_restart(staged: MakeStage) -> None:
    before = await staged(writes=True)
    async with before.bot():
        asked = before.ask()
        before.writer.write("One. ")
        replies = before.slack.world.replies
        begun = await before.slack.until(lambda: next(iter(replies(before.general, asked["ts"])), None))
    assert before.slack.world.streams[begun["ts"]].state == "open"

    after = await staged()
    async with after.bot():
        reply = await after.slack.reply(after.general, asked["ts"])
        await after.settled()

    assert reply["ts"] == begun["ts"]
    assert len(after.slack.world.replies(after.general, asked["ts"])) == 1


async def test_questions_asked_while_we_were_away_are_answered_late(staged: MakeStage) -> None:
    before = await staged()
    async with before.bot():
        first, _ = await before.answer("before")
        await before.settled()
    people = before.slack.people
    missed = people.says(before.ann, before.general, f"{before.mention} while you were away")
    people.says(before.bob, before.general, "and this?", thread=first["ts"])
    await be_away(before)

    after = await staged()
    async with after.bot():
        reply = await after.slack.reply(after.general, missed["ts"])
        second = await after.slack.reply(after.general, first["ts"], number=2)
        await after.settled()

    assert wording.LATE in texts(reply["blocks"])
    assert "and this?" in texts(second["blocks"])
    assert len(after.slack.world.replies(after.general, first["ts"])) == 2
    assert len(after.slack.world.replies(after.general, missed["ts"])) == 1


async def test_questions_are_found_though_the_clock_was_ahead_when_we_last_listened(staged: MakeStage) -> None:
    before = await staged()
    async with before.bot():
        await before.settled()
    asked = before.ask("while you were away")
    await be_away(before, seconds=-86_400)

    after = await staged()
    async with after.bot():
        await said_once(after, after.general, asked, "while you were away")


@pytest.fixture
async def away(staged: MakeStage) -> Stage:
    """A workspace whose bot has been there, was never asked anything and is away now."""
    stage = await staged()
    async with stage.bot():
        pass
    return stage


async def test_a_first_question_in_direct_messages_is_found(away: Stage, staged: MakeStage) -> None:
    asked = away.slack.people.says(away.ann, away.direct, "Anybody there?")
    await be_away(away)

    after = await staged()
    async with after.bot():
        await said_once(after, after.direct, asked, "Anybody there?")


async def test_a_mention_in_a_channel_where_nobody_ever_asked_is_found(away: Stage, staged: MakeStage) -> None:
    quiet = away.slack.world.add_channel("quiet", team=away.slack.team.id, kind="group")
    asked = away.slack.people.says(away.ann, quiet, f"{away.mention} and here?")
    await be_away(away)

    after = await staged()
    async with after.bot():
        await said_once(after, quiet, asked, "and here?")


async def test_a_mention_under_somebodys_older_message_is_found(away: Stage, staged: MakeStage) -> None:
    people, world = away.slack.people, away.slack.world
    root = people.says(away.bob, away.general, "A topic is a service.")
    asked = people.says(away.ann, away.general, f"{away.mention} is that so?", thread=root["ts"])
    older = f"{float(root['ts']) - 2 * 3600:.6f}"
    world.messages[away.general] = {older: {**root, "ts": older}, asked["ts"]: asked}
    asked["thread_ts"] = older
    await be_away(away)

    after = await staged()
    async with after.bot():
        await said_once(after, after.general, asked, "is that so?")

    assert after.parts.agent.asked[0].selected_text == "A topic is a service."


async def test_everything_is_found_however_many_pages_it_takes(away: Stage, staged: MakeStage) -> None:
    away.slack.reads.is_strict = True
    people = away.slack.people
    first = people.says(away.ann, away.general, f"{away.mention} the first?")
    for number in range(40):
        people.says(away.bob, away.general, f"chatter {number}")
    await be_away(away)

    after = await staged()
    async with after.bot():
        await said_once(after, after.general, first, "the first?")

    assert after.slack.count("conversations.history") >= 3


async def test_being_told_to_read_slower_only_makes_it_later(away: Stage, staged: MakeStage) -> None:
    asked = away.ask("patience?")
    await be_away(away)
    for _ in range(3):
        away.slack.fail_next("conversations.history", "ratelimited", status=429, Retry_After="0")

    after = await staged()
    async with after.bot():
        await said_once(after, after.general, asked, "patience?")


async def test_without_the_right_to_list_conversations_known_ones_are_read(staged: MakeStage) -> None:
    before = await staged()
    async with before.bot():
        await before.answer("before")
        await before.settled()
    asked = before.ask("found all the same?")
    await be_away(before)
    before.slack.fail_next("users.conversations", "missing_scope")

    after = await staged()
    async with after.bot():
        await said_once(after, after.general, asked, "found all the same?")


async def test_a_look_back_that_was_cut_short_is_made_again_by_the_next_start(
    away: Stage, staged: MakeStage
) -> None:
    asked = away.ask("still owed?")
    await be_away(away)
    cut = replace(await staged(), patience=Patience(calm_seconds=600.0))
    async with cut.bot():
        await cut.slack.until(lambda: cut.slack.sockets.open)

    after = await staged()
    async with after.bot():
        await said_once(after, after.general, asked, "still owed?")


async def test_after_a_short_absence_nothing_is_read_for_slack_delivers_again(staged: MakeStage) -> None:
    before = await staged()
    async with before.bot():
        await before.answer("before")
        await before.settled()
    places = before.parts.desk.places
    mark = await places.last_listened(HEARD_ALL)

    after = await staged()
    async with after.bot():
        await after.answer("after")
        await after.settled()

    assert after.slack.count("conversations.history") == 0
    assert await places.last_listened(HEARD_ALL) == mark, "the deliveries of a minute later may be missed yet"


async def test_two_short_absences_in_a_row_are_looked_into(staged: MakeStage) -> None:
    before = await staged()
    async with before.bot():
        await before.answer("before")
        await before.settled()
    async with (await staged()).bot():
        pass
    asked = before.ask("between the two?")
    await be_away(before, seconds=31)

    after = await staged()
    async with after.bot():
        await said_once(after, after.general, asked, "between the two?")


async def test_what_a_deaf_connection_swallowed_is_looked_for(staged: MakeStage) -> None:
    watch = Watch(ping_seconds=5, deaf_after_seconds=0.3, check_every_seconds=0.02)
    stage = replace(await staged(), watch=watch, patience=Patience(short_seconds=0.1, calm_seconds=0.0))
    async with stage.bot():
        stage.slack.sockets.is_deaf = True
        asked = stage.ask("can you hear me?")
        for delivery in stage.slack.people.deliveries:
            delivery.cancel()
        await asyncio.gather(*stage.slack.people.deliveries, return_exceptions=True)
        stage.slack.people.deliveries.clear()

        await said_once(stage, stage.general, asked, "can you hear me?")


async def test_a_wish_that_was_granted_is_not_granted_again(staged: MakeStage) -> None:
    before = await staged()
    async with before.bot():
        first, _ = await before.answer("before")
        before.slack.people.says(before.ann, before.general, "mute", thread=first["ts"])
        await before.slack.reply(before.general, first["ts"], number=2)
        before.slack.people.says(before.ann, before.general, f"{before.mention} unmute", thread=first["ts"])
        await before.slack.reply(before.general, first["ts"], number=3)
        await before.settled()
    last = before.ask("something new?")
    await be_away(before)

    after = await staged()
    async with after.bot():
        await said_once(after, after.general, last, "something new?")

    assert len(after.slack.world.replies(after.general, first["ts"])) == 3


async def test_being_away_can_be_left_at_that(away: Stage, staged: MakeStage) -> None:
    away.ask("too late?")
    await be_away(away)

    after = await staged(catch_up_hours=0)
    async with after.bot():
        await after.answer("in time?")
        await after.settled()

    assert [question.text for question in after.parts.agent.asked] == ["in time?"]
    assert await after.parts.desk.places.last_listened(PLATFORM) is not None

"""After a crash at any point every question is answered exactly once; after an absence, late."""

import asyncio
import time

import pytest

from bot import wording
from core.store.places import Places
from tests.bot.adapters.discord.conftest import MakeStage
from tests.bot.adapters.discord.stage import Stage
from tests.bot.group import cited
from tests.bot.scripted import WAIT
from tests.fakes.discord.checks import text_of
from tests.fakes.discord.wire import Json


async def break_off(stage: Stage) -> Json:
    """Ask, and end the process while the answer is being thought about."""
    async with stage.bot():
        asked = await stage.ask()
        await asyncio.wait_for(stage.agent.started.get(), WAIT)
    return asked


async def test_question_that_was_being_answered_is_answered_by_the_next_start(staged: MakeStage) -> None:
    asked = await break_off(await staged(is_gated=True))

    restarted = await staged()
    async with restarted.bot():
        await restarted.discord.until_said(asked["id"], "You asked: What is a node?")
        await restarted.turns.wait_idle()

    assert len(restarted.discord.said(asked["id"])) == 1


async def test_answer_that_was_never_posted_is_posted_without_thinking_again(staged: MakeStage) -> None:
    stage = await staged("Known before the crash [1].")
    async with stage.bot():
        asked = await stage.ask()
        await stage.discord.until_said(asked["id"], "Known before")
        await stage.turns.wait_idle()
    stage.discord.world.messages[asked["id"]].clear()
    async with stage.database.write() as tx:
        await tx.execute("UPDATE turns SET state = 'answered'")
        await tx.execute("DELETE FROM turn_messages")
    stage.discord.messages._nonces.clear()

    restarted = await staged()
    async with restarted.bot():
        await restarted.discord.until_said(asked["id"], "Known before the crash")

    assert restarted.agent.asked == []


async def test_message_whose_id_was_never_stored_is_found_and_not_posted_again(staged: MakeStage) -> None:
    stage = await staged("Once only [1].")
    async with stage.bot():
        asked = await stage.ask()
        await stage.discord.until_said(asked["id"], "Once only")
        await stage.turns.wait_idle()
    async with stage.database.write() as tx:
        await tx.execute("UPDATE turns SET state = 'delivering'")
        await tx.execute("DELETE FROM turn_messages")
    # The crash was so long ago that Discord itself no longer knows the nonce.
    stage.discord.messages._nonces.clear()

    restarted = await staged()
    async with restarted.bot():
        await restarted.turns.wait_idle()
        await restarted.discord.until(lambda: restarted.discord.messages.edits or None)
        await restarted.turns.wait_idle()

    assert len(restarted.discord.said(asked["id"])) == 1


async def test_long_reply_that_was_half_posted_is_completed(staged: MakeStage) -> None:
    long = cited("\n\n".join(f"Paragraph {number}. " + "word " * 150 for number in range(14)) + " [1]", 1)
    stage = await staged(long)
    async with stage.bot():
        asked = await stage.ask()
        await stage.discord.until_said(asked["id"], "Paragraph 13")
        await stage.turns.wait_idle()
    said = stage.discord.said(asked["id"])
    assert len(said) >= 3
    for message in said[1:]:
        del stage.discord.world.messages[asked["id"]][message["id"]]
    async with stage.database.write() as tx:
        await tx.execute("UPDATE turns SET state = 'delivering'")
        await tx.execute("DELETE FROM turn_messages WHERE position > 0")
    stage.discord.messages._nonces.clear()
    stage.discord.rates.forget()

    restarted = await staged()
    async with restarted.bot():
        await restarted.discord.until_said(asked["id"], "Paragraph 13")
        await restarted.turns.wait_idle()

    again = restarted.discord.said(asked["id"])
    assert again[0]["id"] == said[0]["id"]
    assert [text_of(message) for message in again] == [text_of(message) for message in said]


async def test_answer_to_a_post_that_got_lost_is_not_posted_twice(staged: MakeStage) -> None:
    stage = await staged()
    async with stage.bot():
        stage.discord.rest.fail_next(r"POST /channels/\d+/messages$", status=500, is_after=True)
        asked = await stage.ask()
        await stage.discord.until_said(asked["id"], "You asked")
        await asyncio.wait_for(stage.turns.wait_idle(), WAIT)

    assert len(stage.discord.said(asked["id"])) == 1


async def test_command_whose_token_has_expired_is_answered_as_a_reply_that_names_the_member(
    staged: MakeStage,
) -> None:
    stage = await staged(is_gated=True)
    async with stage.bot():
        await stage.discord.people.slash(stage.ann, stage.general, "ask", question="What is a node?")
        await asyncio.wait_for(stage.agent.started.get(), WAIT)
        stage.discord.interactions.token_seconds = 0
        stage.agent.release()

        answer = await stage.discord.until_said(stage.general["id"], "You asked: What is a node?")

    assert f"<@{stage.ann['id']}>" in text_of(answer)
    assert answer["_allowed_mentions"]["users"] == [int(stage.ann["id"])]


async def test_private_command_that_expired_is_answered_in_direct_messages(staged: MakeStage) -> None:
    stage = await staged(is_gated=True)
    async with stage.bot():
        await stage.discord.people.slash(stage.ann, stage.general, "ask", question="What is a node?", private=True)
        await asyncio.wait_for(stage.agent.started.get(), WAIT)
        stage.discord.interactions.token_seconds = 0
        stage.agent.release()

        direct = stage.discord.world.dm_with(stage.ann)
        await stage.discord.until_said(direct["id"], "You asked: What is a node?")

    assert stage.discord.said(stage.general["id"])[1:] == []


async def test_command_that_was_stored_but_never_acknowledged_is_answered_all_the_same(staged: MakeStage) -> None:
    stage = await staged()
    async with stage.bot():
        stage.discord.rest.fail_next("POST /interactions", status=500)
        stage.discord.rest.fail_next("POST /interactions", status=404, body={"message": "x", "code": 10062})
        await stage.discord.people.slash(stage.ann, stage.general, "ask", question="What is a node?")

        await stage.discord.until_said(stage.general["id"], "You asked: What is a node?")


@pytest.mark.parametrize("place", ["thread", "channel", "dm"])
async def test_what_was_asked_while_we_were_away_is_answered_late(staged: MakeStage, place: str) -> None:
    stage = await staged()
    async with stage.bot():
        asked = await stage.ask("Before")
        direct = stage.discord.world.dm_with(stage.ann)
        await stage.discord.people.say(stage.ann, direct, "Before, too")
        await stage.discord.until_said(asked["id"], "You asked")
        await stage.discord.until_said(direct["id"], "You asked")
        await stage.turns.wait_idle()
    channel = {"thread": stage.discord.world.channels[asked["id"]], "channel": stage.general, "dm": direct}[place]
    words = "Are you there?" if place != "channel" else f"{stage.discord.people.mention()} Are you there?"
    missed = await stage.discord.people.say(stage.ann, channel, words)

    restarted = await staged()
    async with restarted.bot():
        where = missed["id"] if place == "channel" else channel["id"]
        answer = await restarted.discord.until_said(where, "Are you there?")
        await restarted.turns.wait_idle()

    assert wording.LATE in text_of(answer)
    assert f"<@{stage.ann['id']}>" in text_of(answer)
    assert [question.text for question in restarted.agent.asked] == ["Are you there?"]


async def test_what_was_asked_while_we_were_away_is_found_though_the_clock_was_ahead_before(
    staged: MakeStage,
) -> None:
    stage = await staged()
    async with stage.bot():
        pass
    await stage.database.write_one("UPDATE presence SET seen_at = seen_at + 86400")
    missed = await stage.ask("Are you there?")

    restarted = await staged()
    async with restarted.bot():
        await restarted.discord.until_said(missed["id"], "You asked: Are you there?")
        await restarted.turns.wait_idle()

    assert [question.text for question in restarted.agent.asked] == ["Are you there?"]


async def test_what_is_older_than_the_operator_wants_is_not_answered(staged: MakeStage) -> None:
    stage = await staged()
    async with stage.bot():
        asked = await stage.ask("Before")
        await stage.discord.until_said(asked["id"], "You asked")
    await stage.ask("While away")

    restarted = await staged(catch_up_hours=0)
    async with restarted.bot():
        now = await restarted.ask("Now")
        await restarted.discord.until_said(now["id"], "You asked: Now")

    assert [question.text for question in restarted.agent.asked] == ["Now"]


async def test_first_start_looks_at_nothing_that_was_said_before_it(staged: MakeStage) -> None:
    stage = await staged()
    await stage.ask("Long ago")
    async with stage.bot():
        now = await stage.ask("Now")
        await stage.discord.until_said(now["id"], "You asked: Now")

    assert [question.text for question in stage.agent.asked] == ["Now"]
    assert (await Places(stage.database).last_listened("discord") or 0) > time.time() - 60


async def test_archived_thread_is_opened_again_for_its_answer(staged: MakeStage) -> None:
    stage = await staged(is_gated=True)
    async with stage.bot():
        asked = await stage.ask()
        await stage.discord.until_said(asked["id"], "⏳")
        stage.discord.world.channels[asked["id"]]["thread_metadata"]["archived"] = True
        stage.agent.release()

        await stage.discord.until_said(asked["id"], "You asked: What is a node?")


async def test_placeholder_that_was_deleted_is_replaced(staged: MakeStage) -> None:
    stage = await staged(is_gated=True)
    async with stage.bot():
        asked = await stage.ask()
        waiting = await stage.discord.until_said(asked["id"], "⏳")
        await stage.discord.people.delete(waiting)
        stage.agent.release()

        await stage.discord.until_said(asked["id"], "You asked: What is a node?")


async def test_question_behind_a_hundred_other_messages_is_found_too(staged: MakeStage) -> None:
    stage = await staged()
    async with stage.bot():
        asked = await stage.ask("Before")
        await stage.discord.until_said(asked["id"], "You asked")
        await stage.turns.wait_idle()
    for number in range(120):
        stage.discord.world.add_message(stage.general, stage.bob, f"chatter {number}")
    missed = await stage.ask("Behind all that?")

    restarted = await staged()
    async with restarted.bot():
        await restarted.discord.until_said(missed["id"], "You asked: Behind all that?")


async def test_place_that_gives_trouble_is_looked_through_again_and_keeps_no_other_waiting(
    staged: MakeStage,
) -> None:
    stage = await staged()
    direct = [stage.discord.world.dm_with(member) for member in (stage.ann, stage.bob)]
    async with stage.bot():
        for member, place in zip((stage.ann, stage.bob), direct, strict=True):
            await stage.discord.people.say(member, place, "Before")
            await stage.discord.until_said(place["id"], "You asked")
        await stage.turns.wait_idle()
    for member, place in zip((stage.ann, stage.bob), direct, strict=True):
        await stage.discord.people.say(member, place, "Are you there?")
    for place in direct:
        stage.discord.rest.fail_next(f"GET /channels/{place['id']}$", status=503)

    restarted = await staged()
    async with restarted.bot():
        for place in direct:
            await restarted.discord.until_said(place["id"], "Are you there?")

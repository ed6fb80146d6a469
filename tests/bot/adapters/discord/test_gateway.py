"""Trouble with the gateway, the token and the intents never ends the process without a sentence."""

import asyncio
import logging

import pytest

from bot.adapters.discord import run_discord
from bot.adapters.discord.place import PLATFORM
from core.errors import SettingsError
from core.store.places import Places
from tests.bot.adapters.discord.conftest import MakeStage
from tests.bot.adapters.discord.stage import Stage
from tests.bot.scripted import WAIT
from tests.fakes.discord.checks import text_of


async def still_answers(stage: Stage, question: str = "Still there?") -> None:
    asked = await stage.ask(question)
    await stage.discord.until_said(asked["id"], f"You asked: {question}")


async def test_socket_that_breaks_is_resumed_and_nothing_said_meanwhile_is_lost(stage: Stage) -> None:
    await stage.discord.gateway.drop(4000)
    asked = await stage.ask("Said while the socket was down")

    await stage.discord.until_said(asked["id"], "You asked: Said while the socket was down")


async def test_session_that_discord_no_longer_knows_is_begun_anew_and_caught_up(stage: Stage) -> None:
    await still_answers(stage, "First")
    stage.discord.gateway.forgets_sessions = True
    await stage.discord.gateway.drop(4000)
    asked = await stage.ask("Said into the void")

    await stage.discord.until_said(asked["id"], "You asked: Said into the void")


async def test_first_connect_that_fails_is_tried_again(staged: MakeStage) -> None:
    stage = await staged()
    stage.discord.gateway.is_refusing = True

    def relent() -> bool:
        logins = [call for call in stage.discord.rest.calls if call.path == "/users/@me"]
        stage.discord.gateway.is_refusing = len(logins) < 3
        return not stage.discord.gateway.is_refusing

    relenting = asyncio.create_task(stage.discord.until(relent))
    async with stage.bot():
        await relenting
        await still_answers(stage)


async def test_rest_outage_at_start_is_waited_out(staged: MakeStage) -> None:
    stage = await staged()
    stage.discord.rest.is_down = True

    def relent() -> bool:
        stage.discord.rest.is_down = len(stage.discord.rest.calls) < 3
        return not stage.discord.rest.is_down

    relenting = asyncio.create_task(stage.discord.until(relent))
    async with stage.bot():
        await relenting
        await still_answers(stage)


@pytest.mark.parametrize(
    ("event", "body"),
    [("MESSAGE_CREATE", {"channel_id": "1"}), ("INTERACTION_CREATE", {"id": "1"}), ("GUILD_CREATE", {})],
    ids=["message", "interaction", "guild"],
)
async def test_malformed_event_does_not_end_the_bot(stage: Stage, event: str, body: dict[str, object]) -> None:
    for session in list(stage.discord.gateway.sessions.values()):
        await session.dispatch(event, body)

    asked = await stage.ask("After the mess")
    await stage.discord.until_said(asked["id"], "You asked: After the mess")


async def test_bad_token_is_told_with_what_to_do(staged: MakeStage) -> None:
    stage = await staged(discord_token_override="wrong")

    with pytest.raises(SettingsError, match="Reset Token"):
        await run_discord(stage.settings, stage.turns, stage.desk, asyncio.Event(), pauses=(0.01,))


async def test_without_the_intent_it_says_what_will_not_work_and_answers_what_it_can(
    staged: MakeStage, caplog: pytest.LogCaptureFixture
) -> None:
    stage = await staged()
    stage.discord.gateway.privileged = 0
    with caplog.at_level(logging.INFO):
        async with stage.bot():
            claim = await stage.discord.people.say(stage.bob, stage.general, "A node is a thread.")
            asked = await stage.discord.people.ask(stage.ann, stage.general, "is that so?", reply_to=claim)
            await stage.discord.until_said(asked["id"], "You asked: is that so?")
            thread = stage.discord.world.channels[asked["id"]]
            await stage.discord.people.say(stage.ann, thread, "unseen words")
            await still_answers(stage)

    assert "Message Content Intent" in caplog.text
    assert stage.agent.asked[0].selected_text == "A node is a thread."
    assert "unseen words" not in [question.text for question in stage.agent.asked]


async def test_start_prints_the_invite_link_with_only_the_permissions_it_needs(
    staged: MakeStage, caplog: pytest.LogCaptureFixture
) -> None:
    stage = await staged()
    with caplog.at_level(logging.INFO):
        async with stage.bot():
            pass

    link = next(each for each in caplog.text.split() if "oauth2/authorize" in each)
    assert "client_id=1000000000000000001" in link
    assert "permissions=309237730304" in link


async def test_rate_limit_that_discord_tells_is_waited_out(stage: Stage) -> None:
    told = {"message": "You are being rate limited.", "retry_after": 0.05, "global": False}
    stage.discord.rest.fail_next(
        r"POST /channels/\d+/messages$", status=429, body=told, headers={"Via": "1.1 google", "Retry-After": "1"}
    )

    await still_answers(stage)


async def test_outage_while_delivering_is_retried_until_discord_is_back(stage: Stage) -> None:
    for _ in range(2):
        stage.discord.rest.fail_next(r"POST /channels/\d+/messages$", status=503)

    asked = await stage.ask()

    answer = await stage.discord.until_said(asked["id"], "You asked")
    assert len(stage.discord.said(asked["id"])) == 1
    assert "What is a node?" in text_of(answer)


async def test_while_the_socket_is_broken_the_bot_does_not_note_that_it_listened(stage: Stage) -> None:
    """What is said meanwhile would not be looked for."""
    places = Places(stage.database)
    stage.discord.gateway.is_refusing = True
    await stage.discord.gateway.drop(4000)
    await stage.discord.until(lambda: stage.discord.gateway.refused >= 1, seconds=20)
    # What was noted before the socket broke may still stand in the database's line; this comes behind it.
    await stage.database.write_one("SELECT 1")
    before = await places.last_listened(PLATFORM)
    await stage.discord.until(lambda: stage.discord.gateway.refused >= 2, seconds=20)

    assert await places.last_listened(PLATFORM) == before
    stage.discord.gateway.is_refusing = False
    asked = await stage.ask("Back again?")
    await stage.discord.until_said(asked["id"], "You asked: Back again?", seconds=30)


async def test_answer_that_is_ready_when_the_client_has_closed_is_left_for_the_next_start(
    staged: MakeStage,
) -> None:
    stage = await staged(is_gated=True)
    stop, running = asyncio.Event(), asyncio.create_task(stage.turns.run())
    serving = asyncio.create_task(stage.serve(stop))
    await stage.until_listening(serving)
    asked = await stage.ask()
    await asyncio.wait_for(stage.agent.started.get(), WAIT)
    await stage.turns._works[1].showing.settle()
    stop.set()
    await asyncio.wait_for(serving, WAIT)

    stage.agent.release()
    while not stage.turns._works[1].retries:  # noqa: ASYNC110 - nothing tells of it
        await asyncio.sleep(0)
    running.cancel()

    restarted = await staged()
    async with restarted.bot():
        await restarted.discord.until_said(asked["id"], "You asked: What is a node?")


async def test_answer_on_its_way_when_the_client_is_replaced_goes_through_the_new_one(staged: MakeStage) -> None:
    stage = await staged(is_gated=True)
    async with stage.bot():
        asked = await stage.ask()
        await asyncio.wait_for(stage.agent.started.get(), WAIT)
        stage.is_listening.clear()
        for session in list(stage.discord.gateway.sessions.values()):
            await session.dispatch("GUILD_CREATE", {})
        await asyncio.wait_for(stage.is_listening.wait(), WAIT)
        stage.agent.release()

        await stage.discord.until_said(asked["id"], "You asked: What is a node?")

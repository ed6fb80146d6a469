"""The connection: refreshed, dropped, deaf, and always there again."""

from dataclasses import replace

from bot.adapters.slack.connecting import Watch
from tests.bot.adapters.slack.conftest import MakeStage
from tests.bot.adapters.slack.stage import Stage, texts


async def test_a_refresh_is_followed_and_nothing_is_lost(stage: Stage) -> None:
    before = stage.slack.sockets.connections
    await stage.slack.sockets.disconnect("refresh_requested")
    await stage.slack.until(lambda: stage.slack.sockets.connections > before)

    _, reply = await stage.answer("after the refresh?")

    assert "after the refresh?" in texts(reply["blocks"])
    await stage.slack.until(lambda: len(stage.slack.sockets.open) == 1)


async def test_too_many_sockets_is_answered_by_closing_one(stage: Stage) -> None:
    before = stage.slack.sockets.connections
    await stage.slack.sockets.disconnect("too_many_websockets")
    await stage.slack.until(lambda: stage.slack.sockets.connections > before)

    await stage.answer()

    await stage.slack.until(lambda: len(stage.slack.sockets.open) == 1)


async def test_a_dropped_connection_comes_back_and_what_was_said_meanwhile_is_answered(stage: Stage) -> None:
    stage.slack.sockets.ack_seconds = 0.3
    before = stage.slack.sockets.connections
    await stage.slack.sockets.drop()
    asked = stage.ask("said meanwhile?")

    await stage.slack.until(lambda: stage.slack.sockets.connections > before)
    reply = await stage.slack.reply(stage.general, asked["ts"])

    assert "said meanwhile?" in texts(reply["blocks"])


async def test_a_connection_that_is_open_but_deaf_is_replaced(staged: MakeStage) -> None:
    stage = replace(await staged(), watch=Watch(ping_seconds=5, deaf_after_seconds=0.2, check_every_seconds=0.02))
    stage.slack.sockets.is_deaf = True
    async with stage.bot():
        before = stage.slack.sockets.connections
        await stage.slack.until(lambda: stage.slack.sockets.connections > before)
        stage.slack.sockets.is_deaf = False

        _, reply = await stage.answer()

    assert "You asked" in texts(reply["blocks"])


async def test_slack_out_of_reach_at_the_start_is_waited_for(staged: MakeStage) -> None:
    stage = await staged()
    stage.slack.fail_next("apps.connections.open", "internal_error", status=500)
    async with stage.bot():
        await stage.answer()

    assert stage.slack.count("apps.connections.open") >= 2


async def test_stopping_closes_the_connection(staged: MakeStage) -> None:
    stage = await staged()
    async with stage.bot():
        assert len(stage.slack.sockets.open) == 1

    await stage.slack.until(lambda: not stage.slack.sockets.open)

"""Trouble with the platforms while running: tokens that are revoked, names that nobody knows."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.adapters.slack import run_slack
from core.errors import SettingsError
from core.store.database import Database
from tests.bot.adapters.discord.stage import make_stage as make_discord_stage
from tests.bot.adapters.slack.stage import make_stage as make_slack_stage
from tests.bot.conftest import database
from tests.bot.scripted import WAIT
from tests.fakes.discord import LocalDiscord
from tests.fakes.slack import LocalSlack

__all__ = ["database"]

NOWHERE = "http://nobody-knows-this-name.invalid"


@pytest.fixture
async def discord() -> AsyncIterator[LocalDiscord]:
    async with LocalDiscord().running() as server:
        yield server


@pytest.fixture
async def slack() -> AsyncIterator[LocalSlack]:
    async with LocalSlack(retry_pauses=(0.0, 0.1, 0.1)) as server:
        yield server


async def test_a_discord_token_revoked_while_running_ends_with_the_setting_to_change(
    discord: LocalDiscord, database: Database, tmp_path: Path
) -> None:
    stage = await make_discord_stage(discord, database, tmp_path)
    serving = asyncio.create_task(stage.serve(asyncio.Event()))
    await stage.until_listening(serving)

    discord.rest._token = discord.gateway._token = "another.token.now"
    await discord.gateway.drop(4004)

    with pytest.raises(SettingsError) as told:
        await asyncio.wait_for(serving, WAIT)
    assert told.value.details["variable"] == "DISCORD_TOKEN"


async def test_a_slack_app_token_revoked_while_running_ends_with_the_setting_to_change(
    slack: LocalSlack, database: Database, tmp_path: Path
) -> None:
    stage = await make_slack_stage(slack, database, tmp_path)

    async def be_revoked() -> None:
        async with stage.bot() as serving:
            # The SDK tries by itself too, so that one refusal would not reach us.
            for _ in range(20):
                slack.fail_next("apps.connections.open", "token_revoked")
            await slack.sockets.drop()
            await asyncio.wait({serving}, timeout=WAIT)

    with pytest.raises(SettingsError, match="token_revoked"):
        await be_revoked()


async def test_a_reply_waits_for_the_operator_where_slack_refuses_the_bot_token(
    slack: LocalSlack, database: Database, tmp_path: Path
) -> None:
    stage = await make_slack_stage(slack, database, tmp_path)
    async with stage.bot():
        slack.fail_next("chat.postMessage", "token_revoked")
        slack.fail_next("chat.update", "token_revoked")
        _, reply = await stage.answer()
        await stage.settled()

    assert len(slack.failures) == 1, "the reply was refused once, however it was shown"
    assert "You asked" in str(reply["blocks"])
    rows = await database.fetch_all("SELECT state FROM turns")
    assert [row["state"] for row in rows] == ["done"]


async def test_a_name_that_discord_does_not_have_is_waited_out(
    discord: LocalDiscord, database: Database, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stage = await make_discord_stage(discord, database, tmp_path)
    stage.settings = replace(stage.settings, discord_api_base=f"{NOWHERE}/api/v10")
    stop = asyncio.Event()
    serving = asyncio.create_task(stage.serve(stop))
    async with asyncio.timeout(WAIT):
        while "Discord cannot be reached" not in caplog.text:  # noqa: ASYNC110 - a log line is no event
            await asyncio.sleep(0.01)

    stop.set()
    await asyncio.wait_for(serving, WAIT)


async def test_a_name_that_slack_does_not_have_is_waited_out(
    slack: LocalSlack, database: Database, tmp_path: Path
) -> None:
    stage = await make_slack_stage(slack, database, tmp_path)
    settings = replace(stage.settings, slack_api_url=f"{NOWHERE}/api/")
    stop = asyncio.Event()
    serving = asyncio.create_task(run_slack(settings, stage.parts.turns, stage.parts.desk, stop))
    done, _ = await asyncio.wait({serving}, timeout=0.5)

    assert not done, "it gave up instead of waiting"
    stop.set()
    await asyncio.wait_for(serving, WAIT)

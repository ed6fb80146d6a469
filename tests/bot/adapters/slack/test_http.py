"""Slack's calls over HTTP: signed ones are taken, others refused."""

import asyncio
import json
import socket
import time
from contextlib import suppress

import aiohttp
import pytest
from slack_sdk.signature import SignatureVerifier

from bot.adapters.slack import run_slack
from bot.adapters.slack.http import PATH
from bot.adapters.slack.place import PLATFORM
from core.errors import SettingsError
from core.store.places import Places
from tests.bot.adapters.slack.conftest import MakeStage
from tests.bot.adapters.slack.stage import AT_ONCE, QUICK_WATCH, texts
from tests.logged import logged

SECRET = "a-signing-secret"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def post(url: str, body: bytes, secret: str) -> int:
    """Call as Slack does; the status, once somebody listens."""
    timestamp = str(int(time.time()))
    signature = SignatureVerifier(secret).generate_signature(timestamp=timestamp, body=body)
    headers = {"X-Slack-Signature": str(signature), "X-Slack-Request-Timestamp": timestamp}
    headers["Content-Type"] = "application/json"
    async with aiohttp.ClientSession() as session, asyncio.timeout(60):
        while True:
            with suppress(aiohttp.ClientConnectorError):
                async with session.post(
                    url, data=body, headers={**headers, "Content-Type": "application/json"}
                ) as answer:
                    return answer.status
            await asyncio.sleep(0.01)


@pytest.mark.parametrize(("secret", "is_taken"), [(SECRET, True), ("another", False)], ids=["signed", "forged"])
async def test_only_what_slack_signed_is_taken(staged: MakeStage, secret: str, is_taken: bool) -> None:
    stage = await staged(slack_app_token=None, slack_signing_secret=SECRET, slack_http_port=free_port())
    slack, team, stop = stage.slack, stage.slack.team, asyncio.Event()
    event = {"type": "app_mention", "user": stage.ann, "text": f"{stage.mention} hello?", "ts": slack.world.ts()}
    event |= {"channel": stage.general}
    slack.world.messages[stage.general][event["ts"]] = {**event, "type": "message"}
    payload = {"type": "event_callback", "team_id": team.id, "api_app_id": "A", "event_id": "Ev1", "event": event}
    running = asyncio.create_task(stage.parts.turns.run())
    serving = asyncio.create_task(run_slack(stage.settings, stage.parts.turns, stage.parts.desk, stop))

    url = f"http://127.0.0.1:{stage.settings.slack_http_port}{PATH}"
    status = await post(url, json.dumps(payload).encode(), secret)
    reply = await slack.reply(stage.general, event["ts"]) if is_taken else None
    stop.set()
    await asyncio.wait_for(serving, 60)
    running.cancel()

    assert (status == 200) == is_taken
    assert (len(stage.parts.agent.asked) == 1) == is_taken
    assert reply is None or "hello?" in texts(reply["blocks"])


async def test_what_nobody_took_over_http_is_looked_for(staged: MakeStage) -> None:
    stage = await staged(slack_app_token=None, slack_signing_secret=SECRET, slack_http_port=free_port())
    asked = stage.ask("said to nobody?")
    for delivery in stage.slack.people.deliveries:
        delivery.cancel()
    await asyncio.gather(*stage.slack.people.deliveries, return_exceptions=True)
    hour_ago = Places(stage.database, clock=lambda: time.time() - 3600)
    await hour_ago.listened(PLATFORM)
    stop = asyncio.Event()
    running = asyncio.create_task(stage.parts.turns.run())
    serving = asyncio.create_task(
        run_slack(stage.settings, stage.parts.turns, stage.parts.desk, stop, patience=AT_ONCE)
    )

    reply = await stage.slack.reply(stage.general, asked["ts"])
    stop.set()
    await asyncio.wait_for(serving, 5)
    running.cancel()

    assert "said to nobody?" in texts(reply["blocks"])


async def test_calls_are_taken_on_after_a_database_that_refused_to_be_written_to(staged: MakeStage) -> None:
    stage = await staged(slack_app_token=None, slack_signing_secret=SECRET, slack_http_port=free_port())
    stop = asyncio.Event()
    with logged("noting that Slack is heard failed") as failed, logged("Slack is heard works again") as works:
        await stage.database.write_one("PRAGMA query_only = 1")
        serving = asyncio.create_task(
            run_slack(stage.settings, stage.parts.turns, stage.parts.desk, stop, watch=QUICK_WATCH)
        )
        await asyncio.wait_for(failed.wait(), 60)
        await stage.database.write_one("PRAGMA query_only = 0")
        await asyncio.wait_for(works.wait(), 60)

    url = f"http://127.0.0.1:{stage.settings.slack_http_port}{PATH}"
    body = json.dumps({"type": "url_verification", "challenge": "x"}).encode()
    status = await post(url, body, SECRET)
    stop.set()
    await asyncio.wait_for(serving, 60)

    assert status == 200


async def test_a_port_that_is_taken_is_the_operators_to_change(staged: MakeStage) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        stage = await staged(slack_app_token=None, slack_signing_secret=SECRET, slack_http_port=port)

        with pytest.raises(SettingsError, match="SLACK_HTTP_PORT"):
            await run_slack(stage.settings, stage.parts.turns, stage.parts.desk, asyncio.Event())

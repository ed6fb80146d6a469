"""The local Discord is as strict as the real one: what it lets pass, Discord lets pass."""

import sys
from asyncio import create_subprocess_exec, subprocess, wait_for
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from tests.bot.scripted import WAIT
from tests.fakes.discord import LocalDiscord
from tests.fakes.discord.wire import V2_FLAG, Json


@pytest.fixture
async def discord() -> AsyncIterator[LocalDiscord]:
    async with LocalDiscord().running() as server:
        yield server


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as opened:
        yield opened


@pytest.fixture
def channel(discord: LocalDiscord) -> Json:
    return discord.world.add_channel(discord.world.add_guild(), "general")


async def call(
    discord: LocalDiscord, session: aiohttp.ClientSession, method: str, path: str, body: Any = None
) -> tuple[int, Any]:
    headers = {"Authorization": f"Bot {discord.token}"}
    async with session.request(method, discord.api_url + path, json=body, headers=headers) as response:
        is_json = response.content_type == "application/json"
        return response.status, await response.json() if is_json else await response.text()


def text(content: str) -> Json:
    return {"type": 10, "content": content}


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"content": "x" * 2001}, 50035),
        ({"content": ""}, 50006),
        ({"content": "x", "nonce": "n" * 26}, 50035),
        ({"flags": V2_FLAG, "components": [text("x" * 4001)]}, 50035),
        ({"flags": V2_FLAG, "components": [text("x")] * 41}, 50035),
        ({"flags": V2_FLAG, "content": "x", "components": [text("x")]}, 50035),
    ],
    ids=["content", "empty", "nonce", "text", "components", "content beside components"],
)
async def test_what_discord_refuses_is_refused(
    discord: LocalDiscord, session: aiohttp.ClientSession, channel: Json, body: Json, code: int
) -> None:
    status, told = await call(discord, session, "POST", f"/channels/{channel['id']}/messages", body)

    assert (status, told["code"]) == (400, code)


async def test_message_with_an_enforced_nonce_is_posted_once(
    discord: LocalDiscord, session: aiohttp.ClientSession, channel: Json
) -> None:
    body = {"content": "once", "nonce": "n1", "enforce_nonce": True}

    first = await call(discord, session, "POST", f"/channels/{channel['id']}/messages", body)
    second = await call(discord, session, "POST", f"/channels/{channel['id']}/messages", body)

    assert first[1]["id"] == second[1]["id"]
    assert len(discord.said(channel["id"])) == 1


async def test_second_thread_on_a_message_and_a_name_that_is_too_long_are_refused(
    discord: LocalDiscord, session: aiohttp.ClientSession, channel: Json
) -> None:
    asked = discord.world.add_message(channel, discord.world.add_user("ann"), "hello")
    path = f"/channels/{channel['id']}/messages/{asked['id']}/threads"

    too_long = await call(discord, session, "POST", path, {"name": "x" * 101})
    opened = await call(discord, session, "POST", path, {"name": "x" * 100})
    again = await call(discord, session, "POST", path, {"name": "x"})

    assert (too_long[0], too_long[1]["code"]) == (400, 50035)
    assert (opened[0], opened[1]["id"]) == (201, asked["id"])
    assert (again[0], again[1]["code"]) == (400, 160004)


async def test_too_many_requests_are_refused_with_how_long_to_wait(
    discord: LocalDiscord, session: aiohttp.ClientSession, channel: Json
) -> None:
    path = f"/channels/{channel['id']}/messages"
    answers = [await call(discord, session, "POST", path, {"content": str(n)}) for n in range(6)]

    assert [status for status, _ in answers] == [200] * 5 + [429]
    assert 0 < answers[-1][1]["retry_after"] <= 5


async def test_unknown_route_and_wrong_token_are_failures(
    discord: LocalDiscord, session: aiohttp.ClientSession
) -> None:
    unknown = await call(discord, session, "GET", "/nowhere")
    async with session.get(f"{discord.api_url}/users/@me", headers={"Authorization": "Bot wrong"}) as refused:
        assert refused.status == 401

    assert unknown[0] == 404
    assert discord.rest.unknown == ["GET /nowhere"]


async def test_interaction_that_is_too_old_is_refused(
    discord: LocalDiscord, session: aiohttp.ClientSession, channel: Json
) -> None:
    discord.interactions.commands = [{"id": "1", "name": "ask", "type": 1, "options": []}]
    used = await discord.people.slash(discord.world.add_user("ann"), channel, "ask")
    callback, webhook = f"/interactions/{used.id}/{used.token}/callback", f"/webhooks/1/{used.token}"

    discord.interactions.ack_seconds = -1.0
    after_three_seconds = await call(discord, session, "POST", callback, {"type": 5})
    discord.interactions.ack_seconds = 3.0
    in_time = await call(discord, session, "POST", callback, {"type": 5})
    discord.interactions.token_seconds = -1.0
    after_fifteen_minutes = await call(discord, session, "POST", webhook, {"content": "late"})

    assert (after_three_seconds[0], after_three_seconds[1]["code"]) == (404, 10062)
    assert in_time[0] < 300
    assert (after_fifteen_minutes[0], after_fifteen_minutes[1]["code"]) == (401, 50027)


async def test_it_runs_as_a_process_with_a_page_and_a_control_api(session: aiohttp.ClientSession) -> None:
    process = await create_subprocess_exec(
        sys.executable, "-m", "tests.fakes.discord", "--port", "0", stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        told = [(await wait_for(process.stdout.readline(), 6 * WAIT)).decode().strip() for _ in range(4)]
        address = told[-1].removeprefix("The channel: ").rstrip("/")
        async with session.post(f"{address}/_control/say", json={"text": "hello everybody"}) as said:
            assert said.status == 200
        async with session.get(address) as page:
            assert "hello everybody" in await page.text()
    finally:
        process.terminate()
        await process.wait()

    assert told[0].startswith("DISCORD_TOKEN=")

"""Planted secrets, servers that shout them back, and a search through everything the process ever wrote."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import aiohttp
import pytest

from bot.logs import HIDDEN
from tests.fakes.discord import LocalDiscord
from tests.fakes.discord.checks import text_of
from tests.fakes.llm_server import LLMServer
from tests.fakes.llm_steps import Step
from tests.fakes.slack import LocalSlack
from tests.fakes.slack.server import APP_TOKEN
from tests.fakes.slack.world import Team
from tests.faults.process import WAIT, Footnote, make_library

pytestmark = pytest.mark.long

KEY = "sk-planted-openai-key-0123456789"
COHERE_KEY = "planted-cohere-key-0123456789"
QDRANT_KEY = "planted-qdrant-key-0123456789"
WEB_TOKEN = "planted-web-token-0123456789"
SLACK_TOKEN = "xoxb-planted-slack-token"
SIGNING_SECRET = "planted-signing-secret"
URL_PASSWORD = "planted-password"
WORDS = "platypus"
"""A member's own word; logs carry ids and timings only."""
SECRETS = (KEY, COHERE_KEY, QDRANT_KEY, WEB_TOKEN, SLACK_TOKEN, SIGNING_SECRET, URL_PASSWORD, APP_TOKEN)


@dataclass
class World:
    """The services around the process, all of which tell secrets."""

    discord: LocalDiscord
    slack: LocalSlack
    model: LLMServer
    footnote: Footnote

    @property
    def secrets(self) -> tuple[str, ...]:
        return (*SECRETS, self.discord.token)


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    library = await make_library(tmp_path / "made")
    async with AsyncExitStack() as stack:
        discord = await stack.enter_async_context(LocalDiscord().running())
        slack = await stack.enter_async_context(LocalSlack(Team(token=SLACK_TOKEN)))
        model = await stack.enter_async_context(LLMServer())
        model.default = lambda body: Step(status=401, error={"message": f"Incorrect API key provided: {KEY}"})
        address = model.openai_url.replace("http://", f"http://someone:{URL_PASSWORD}@")
        settings = {
            "OPENAI_API_KEY": KEY,
            "OPENAI_BASE_URL": address,
            "COHERE_API_KEY": COHERE_KEY,
            "QDRANT_API_KEY": QDRANT_KEY,
            "FOOTNOTE_WEB_TOKEN": WEB_TOKEN,
            "FOOTNOTE_LOG_LEVEL": "debug",
            "FOOTNOTE_LOG_FORMAT": "json",
            "DISCORD_TOKEN": discord.token,
            "DISCORD_API_BASE": discord.api_url,
            "DISCORD_GATEWAY_URL": discord.gateway_url,
            "SLACK_BOT_TOKEN": SLACK_TOKEN,
            "SLACK_APP_TOKEN": APP_TOKEN,
            "SLACK_API_URL": slack.api_url,
        }
        yield World(discord, slack, model, Footnote.beside(library, tmp_path, **settings))


async def test_nothing_that_is_ever_written_holds_a_secret(world: World) -> None:
    footnote, discord, slack = world.footnote, world.discord, world.slack
    guild = discord.world.add_guild()
    channel, ann = discord.world.add_channel(guild, "general"), discord.world.add_user("ann")
    discord.world.join(guild, ann)
    bob = slack.world.add_user("bob", team=slack.team.id)
    room = slack.world.add_channel("general", team=slack.team.id)
    leaks = {"message": f"Bot {discord.token} may not do that", "code": 0}
    replies: list[str] = []

    async with footnote.running() as running:
        await discord.until(lambda: discord.gateway.sessions or None, seconds=WAIT)
        await slack.until(lambda: slack.sockets.open or None, seconds=WAIT)
        discord.rest.fail_next("POST /channels/.*/messages", status=500, body=leaks)
        slack.fail_next("chat.postMessage", f"invalid_auth_{SLACK_TOKEN}")
        asked = await discord.people.ask(ann, channel, "What is a topic?")
        slack.people.says(bob, room, f"<@{slack.team.bot_user}> What is a topic?")
        async with aiohttp.ClientSession(headers={"Authorization": f"Bearer {WEB_TOKEN}"}) as http:
            for question in (f"What is a {WORDS} topic?", f"Is {KEY[:4]} a topic?"):
                async with http.post(f"{footnote.url}/api/chat", json={"question": question}) as response:
                    replies.append(await response.text())
            for path in ("/metrics", "/healthz", "/api/jobs", "/openapi.json", "/"):
                async with http.get(f"{footnote.url}{path}") as response:
                    replies.append(await response.text())
        said = await discord.until_said(asked["id"], "topic", seconds=WAIT)
        await asyncio.wait_for(_answered(slack, room), WAIT)
        commands = [("doctor",), ("doctor", "--json"), ("ask", "What is a topic?", "--json"), ("books", "--json")]
        await asyncio.gather(*(footnote.do(*words) for words in commands))
        await running.stop()
    replies += [text_of(said), str(slack.world.messages), str(discord.world.messages)]

    assert len(world.model.chats) >= 1, "the model was never asked, so nothing was shouted back"
    assert HIDDEN in "".join(footnote.written), "nothing was blotted out, so nothing was tried"
    assert WORDS not in "".join(footnote.written), "members' words are in a log"
    for secret in world.secrets:
        assert secret not in "".join(footnote.written), "in a log or on the screen"
        assert secret not in "".join(replies), "in a reply"
        for file in [each for each in footnote.data.rglob("*") if each.is_file()]:
            assert secret.encode() not in file.read_bytes(), f"in {file.name}"


async def _answered(slack: LocalSlack, room: str) -> None:
    await slack.until(lambda: slack.world.answers(room), seconds=WAIT)


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({"SLACK_BOT_TOKEN": f"{SLACK_TOKEN} ", "SLACK_APP_TOKEN": SIGNING_SECRET}, id="wrong form"),
        pytest.param({"DISCORD_TOKEN": f"Bot {KEY}"}, id="more than the token"),
        pytest.param(
            {"QDRANT_URL": f"http://x:{URL_PASSWORD}@127.0.0.1:1", "QDRANT_API_KEY": QDRANT_KEY}, id="qdrant"
        ),
        pytest.param({"OPENAI_API_KEY": KEY, "AGENT_TOP_K": "99"}, id="another setting is wrong"),
    ],
)
async def test_a_start_that_fails_shows_no_secret(tmp_path: Path, settings: dict[str, str]) -> None:
    (tmp_path / "data").mkdir()
    footnote = Footnote(tmp_path, {"FOOTNOTE_EMBEDDER": "static", "FOOTNOTE_RERANK": "0", **settings})

    commands = [("doctor",), ("ask", "What is a topic?", "--json")]
    # With a platform's token it would not fail but wait for the platform, whose real address it would look for.
    if not {"DISCORD_TOKEN", "SLACK_BOT_TOKEN"} & settings.keys():
        commands.append(("run",))
    await asyncio.gather(*(footnote.do(*words) for words in commands))

    assert footnote.written
    assert not [secret for secret in SECRETS if secret in "".join(footnote.written)]

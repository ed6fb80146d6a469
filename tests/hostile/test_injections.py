"""Mentions, markup and links that come in with a question, a quoted message, a file or a model never act."""

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.adapters.web.rendering import render
from bot.cli.answers import print_reply
from bot.cli.printer import Printer
from bot.reply import Reply
from core.ingestion.file_reading import read_file
from core.ingestion.lesson import SourceFile
from core.ingestion.readers.single import FileReader
from core.model import Answer, Citation
from core.store.database import Database
from tests.bot.adapters.discord.stage import make_stage as make_discord_stage
from tests.bot.adapters.slack.stage import make_stage as make_slack_stage
from tests.bot.conftest import database
from tests.bot.markup.test_neutral import active
from tests.bot.scripted import WAIT, to_answer, to_chunk
from tests.fakes.discord import LocalDiscord
from tests.fakes.discord.checks import text_of
from tests.fakes.slack import LocalSlack
from tests.fakes.slack.limits import complaints_about, markdown_texts, mrkdwn_texts
from tests.hostile.inputs import EVIL
from tests.hostile.test_rendering import check_html

__all__ = ["database"]

PAYLOADS = {
    "everyone": "@everyone @here @channel come here",
    "discord mentions": "<@1> <@!1> <@&9> <#7> </ask:1> <t:1:R> <:smile:1>",
    "slack mentions": "<!channel> <!here> <!everyone> <!subteam^S1> <@U1|ann> <#C1|general>",
    "links": f"[the book]({EVIL}) <{EVIL}> <{EVIL}|the book> {EVIL}",
    "picture": f"![p]({EVIL}) and [1]: {EVIL}",
    "formula": f"$${EVIL}$$ and \\({EVIL}\\)",
    "scripts": "<script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1))",
    "fence": "``` @everyone ```` <!here> `<@1>`",
    "markup": "# Title\n> quoted\n-# small\n||hidden|| **bold** __line__ ~~gone~~",
    "hidden": "\u202egnitirw\u202c \x1b[31mred\x1b[0m \u200bnothing",
}


def poisoned(payload: str) -> Answer:
    """A model's words, a book's title, heading, breadcrumb and text, all saying *payload*."""
    line = " ".join(payload.split())
    chunk = replace(to_chunk(payload), page_title=line, section=(line,), breadcrumb=line)
    return to_answer(f"{payload} [1]", citations=(Citation(1, chunk, payload, 0.9),))


@pytest.fixture
async def discord() -> AsyncIterator[LocalDiscord]:
    async with LocalDiscord().running() as server:
        server.rates.is_on = False
        yield server


@pytest.fixture
async def slack() -> AsyncIterator[LocalSlack]:
    async with LocalSlack(retry_pauses=(0.0, 0.1, 0.1), has_rate_limits=False) as server:
        yield server


async def test_nothing_acts_on_discord(discord: LocalDiscord, database: Database, tmp_path: Path) -> None:
    stage = await make_discord_stage(discord, database, tmp_path, *map(poisoned, PAYLOADS.values()))
    async with stage.bot():
        for payload in PAYLOADS.values():
            claim = await discord.people.say(stage.bob, stage.general, payload)
            asked = await discord.people.ask(stage.ann, stage.general, f"true? {payload}", reply_to=claim)
            await discord.until(lambda asked=asked: discord.said(asked["id"]))  # type: ignore[misc]
        await asyncio.wait_for(stage.turns.wait_idle(), WAIT)

    shown = [text_of(each) for channel in list(discord.world.messages) for each in discord.said(channel)]
    assert len(shown) >= len(PAYLOADS)
    for text in shown:
        assert not re.search(r"@(everyone|here)", text)
        assert not re.search(r"<[@#/:t]", re.sub(r"\]\(<[^>]*>\)", "", active(text)))
        assert not re.search(r"https?://evil", active(text))
        assert not re.search(r"[\u202a-\u202e\x00-\x08\x1b]", text)
    for thread in discord.world.guilds[stage.guild["id"]]["threads"]:
        assert not re.search(r"[@*`|\n]", thread["name"])


async def test_nothing_acts_on_slack(slack: LocalSlack, database: Database, tmp_path: Path) -> None:
    stage = await make_slack_stage(slack, database, tmp_path, *map(poisoned, PAYLOADS.values()))
    async with stage.bot():
        # A room for each: in one room the bot keeps its messages a second apart.
        rooms = {slack.world.add_channel(f"room{n}", team=slack.team.id): each for n, each in enumerate(PAYLOADS)}
        for room, name in rooms.items():
            claim = slack.people.says(stage.bob, room, PAYLOADS[name])
            slack.people.says(stage.ann, room, f"{stage.mention} true? {PAYLOADS[name]}", thread=claim["ts"])
            await slack.reply(room, claim["ts"])
        await stage.settled()

    answers = [message for room in rooms for message in slack.world.answers(room)]
    assert len(answers) == len(PAYLOADS)
    assert slack.complaints == []
    for message in answers:
        assert not [each for text in mrkdwn_texts(message["blocks"]) for each in complaints_about(text)]
        for text in (*markdown_texts(message["blocks"]), message["text"]):
            assert not re.search(r"<[@#!]|@(everyone|here|channel)", text)
            assert not re.search(r"https?://evil", active(text))


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS)
def test_nothing_acts_on_the_page(payload: str) -> None:
    reply = Reply.from_answer(poisoned(payload))

    check_html(render(reply.text, footnotes={1: reply.footnotes[0].title}))


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS)
def test_nothing_acts_on_a_terminal(payload: str, capsys: pytest.CaptureFixture[str]) -> None:
    print_reply(Reply.from_answer(poisoned(payload)), Printer())

    told = capsys.readouterr()
    assert told.out
    assert "\x1b[31m" not in told.out + told.err
    assert "\u202e" not in told.out + told.err


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS)
def test_a_file_cannot_hide_anything_in_its_names(payload: str, tmp_path: Path) -> None:
    line = " ".join(payload.split())
    path = tmp_path / (re.sub(r"[/\x00]", "", line)[:60] + ".md")
    path.write_text(f"---\ntitle: {line!r}\nslug: {line!r}\n---\n\n# {line}\n\nSome words of the book.\n")

    lessons = read_file(FileReader(), SourceFile(path.name, str(path), size=path.stat().st_size))

    for lesson in lessons:
        assert not re.search(r"[\x00-\x1f\x7f\u202a-\u202e]", lesson.title)

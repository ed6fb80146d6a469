"""`make pictures-discord`: the pictures of docs/discord.md, by the real bot on the local Discord."""

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from bot import wording
from tests.fakes.discord.checks import walk
from tests.fakes.discord.server import LocalDiscord
from tests.fakes.discord.view import channel_html, form_html, message_html, page
from tests.fakes.discord.wire import Json

FOLDER = Path(__file__).parents[3] / "docs" / "pictures"
CHROMIUM = os.environ.get("FOOTNOTE_CHROMIUM", "/usr/bin/chromium")
WAIT = 180.0


@asynccontextmanager
async def bot_on(discord: LocalDiscord, data: Path) -> AsyncIterator[None]:
    """`footnote run`, pointed at the local Discord."""
    environment = {
        **os.environ,
        "FOOTNOTE_DATA_DIR": str(data),
        "FOOTNOTE_PORT": "8798",
        "FOOTNOTE_OPEN_BROWSER": "0",
        "FOOTNOTE_PUBLIC_URL": "http://localhost:8798",
        "DISCORD_TOKEN": discord.token,
        "DISCORD_API_BASE": discord.api_url,
        "DISCORD_GATEWAY_URL": discord.gateway_url,
    }
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "bot", "run", env=environment)
    try:
        await discord.until(lambda: discord.gateway.sessions or None, seconds=WAIT)
        yield
    finally:
        process.terminate()
        await process.wait()


async def draw(browser: Browser, name: str, shown: str, *, width: int = 760) -> None:
    tab = await browser.new_page(viewport={"width": width, "height": 200}, device_scale_factor=1.5)
    await tab.set_content(shown)
    await tab.screenshot(path=FOLDER / f"discord-{name}.png", full_page=True)
    await tab.close()


def press_id(message: Json, label: str) -> str:
    buttons = [each for each in walk(message["components"]) if each["type"] == 2]
    return str(next(each["custom_id"] for each in buttons if label in str(each.get("label"))))


async def answer_in(discord: LocalDiscord, channel_id: str, count: int = 1) -> Json:
    """The bot's answer number *count* there, finished: it has its 👍."""

    def look() -> Json | None:
        done = [each for each in discord.said(channel_id) if "fn:up:" in str(each["components"])]
        return done[count - 1] if len(done) >= count else None

    return await discord.until(look, seconds=WAIT)


async def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    async with LocalDiscord().running() as discord, async_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=options)
        world = discord.world
        guild = world.add_guild()
        channel = world.add_channel(guild, "study-group")
        ann, bob, lea = (world.add_user(name) for name in ("ann", "bob", "lea"))
        world.join(guild, lea, is_leader=True)
        with tempfile.TemporaryDirectory() as folder:
            async with bot_on(discord, Path(folder)):
                await draw_all(browser, discord, channel, (ann, bob, lea))
        await browser.close()
        sys.stdout.write(f"unknown requests: {discord.rest.unknown}, refused: {discord.rest.refusals}\n")


async def draw_all(
    browser: Browser, discord: LocalDiscord, channel: Json, people: tuple[Json, Json, Json]
) -> None:
    world, act = discord.world, discord.people
    ann, bob, lea = people
    asked = await act.ask(ann, channel, "What is a Kalman filter?")
    answer = await answer_in(discord, asked["id"])
    thread = world.channels[asked["id"]]
    await act.say(bob, thread, "and what is the Kalman gain?")
    await answer_in(discord, asked["id"], 2)
    side = channel_html(world, asked["id"])
    shown = page("study-group", channel_html(world, channel["id"]), side=side, side_title=thread["name"])
    await draw(browser, "thread", shown, width=1240)

    claim = await act.say(bob, channel, "I think a static transform has to be sent again and again.")
    about = await act.ask(ann, channel, "is that right?", reply_to=claim)
    await answer_in(discord, about["id"])
    both = "".join(message_html(world, world.messages[channel["id"]][each["id"]]) for each in (claim, about))
    await draw(browser, "reply", page("study-group", both + channel_html(world, about["id"])))

    reading = await act.press(ann, answer, press_id(answer, "Source 1"))
    passage = await discord.until_answered(reading, seconds=WAIT)
    await draw(browser, "source", page("", message_html(world, passage)))

    searching = await act.slash(ann, channel, "search", query="quality of service")
    found = await discord.until_answered(searching, seconds=WAIT)
    await draw(browser, "search", page("study-group", message_html(world, found)))

    menu = await act.menu(ann, claim, wording.MENU_TITLE)
    modal = await discord.until(lambda: menu.modal, seconds=WAIT)
    await draw(browser, "form", page("", form_html(modal)), width=520)

    listing = await act.slash(lea, channel, "book list")
    listed = await discord.until_answered(listing, seconds=WAIT)
    await draw(browser, "books", page("study-group", message_html(world, listed)))


if __name__ == "__main__":
    asyncio.run(main())

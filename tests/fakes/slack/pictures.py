"""`make pictures-slack`: the pictures of docs/slack.md, by the real bot on the local Slack and the sample book."""

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from tests.fakes.slack.server import APP_TOKEN, LocalSlack
from tests.fakes.slack.view import blocks_html, channel_html, modal_html, page, thread_html
from tests.fakes.slack.world import Json

FOLDER = Path(__file__).parents[3] / "docs" / "pictures"
CHROMIUM = os.environ.get("FOOTNOTE_CHROMIUM", "/usr/bin/chromium")
WAIT = 120.0


@asynccontextmanager
async def bot_on(slack: LocalSlack, data: Path) -> AsyncIterator[None]:
    """`footnote run`, pointed at the local Slack."""
    environment = {
        **os.environ,
        "FOOTNOTE_DATA_DIR": str(data),
        "FOOTNOTE_PORT": "8799",
        "FOOTNOTE_OPEN_BROWSER": "0",
        "FOOTNOTE_PUBLIC_URL": "http://localhost:8799",
        "SLACK_API_URL": slack.api_url,
        "SLACK_BOT_TOKEN": slack.team.token,
        "SLACK_APP_TOKEN": APP_TOKEN,
    }
    command = [sys.executable, "-m", "bot", "run"]
    process = await asyncio.create_subprocess_exec(*command, env=environment)
    try:
        await slack.until(lambda: slack.sockets.open, WAIT)
        yield
    finally:
        process.terminate()
        await process.wait()


async def draw(browser: Browser, name: str, shown: str, *, width: int = 1000) -> None:
    tab = await browser.new_page(viewport={"width": width, "height": 300}, device_scale_factor=1.5)
    await tab.set_content(shown)
    await tab.screenshot(path=FOLDER / f"slack-{name}.png", full_page=True)
    await tab.close()


async def answered(slack: LocalSlack, channel: str, root: str, count: int) -> None:
    await slack.until(
        lambda: len([each for each in slack.world.replies(channel, root) if is_whole(each)]) >= count, WAIT
    )


def is_whole(message: Json) -> bool:
    return any(block["type"] == "context_actions" for block in message.get("blocks", []))


async def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    async with LocalSlack() as slack, async_playwright() as playwright:
        world, people, team = slack.world, slack.people, slack.team.id
        ann, bob = world.add_user("ann", team=team), world.add_user("bob", team=team)
        lea = world.add_user("lea", team=team, is_admin=True)
        channel = world.add_channel("study-group", team=team)
        direct = world.add_channel("dm", team=team, kind="im", user=ann)
        mention = f"<@{slack.team.bot_user}>"
        options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=options)
        with tempfile.TemporaryDirectory() as folder:
            async with bot_on(slack, Path(folder)):
                asked = people.says(ann, channel, f"{mention} What is a topic?")
                await answered(slack, channel, asked["ts"], 1)
                people.says(bob, channel, "and how is a service different?", thread=asked["ts"])
                await answered(slack, channel, asked["ts"], 2)
                side = thread_html(world, channel, asked["ts"])
                await draw(
                    browser, "thread", page("#study-group", channel_html(world, channel), side=side), width=1180
                )

                claim = people.says(bob, channel, "I think a Kalman filter needs no model of how the robot moves.")
                people.says(ann, channel, f"{mention} is that right?", thread=claim["ts"])
                await answered(slack, channel, claim["ts"], 1)
                await draw(browser, "about", page("Thread", thread_html(world, channel, claim["ts"])), width=720)

                await people.types(ann, channel, "/search", "quality of service limit:3")
                (found,) = await slack.until(lambda: world.ephemeral, WAIT)
                private = (
                    f'<div class="private"><small>Only visible to you</small>{blocks_html(found["blocks"])}</div>'
                )
                await draw(browser, "search", page("#study-group", private), width=720)

                reply = world.replies(channel, asked["ts"])[0]
                button = next(block for block in reply["blocks"] if block["type"] == "actions")["elements"][0]
                await people.clicks(ann, channel, reply, button["action_id"], button["value"])
                view = await slack.until(lambda: next(iter(world.views.values()), None), WAIT)
                await draw(browser, "source", page("", modal_html(view)), width=620)
                world.views.clear()

                await people.uses_shortcut(ann, channel, claim, "ask_about")
                view = await slack.until(lambda: next(iter(world.views.values()), None), WAIT)
                await draw(browser, "form", page("", modal_html(view)), width=620)

                people.opens_home(lea, direct)
                home = await slack.until(lambda: world.homes.get(lea), WAIT)
                await draw(browser, "home", page("Home", blocks_html(home["blocks"])), width=720)
        await browser.close()
        sys.stdout.write(f"complaints: {slack.complaints}\n")


if __name__ == "__main__":
    asyncio.run(main())

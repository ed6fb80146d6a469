"""`make pictures-slack`: the pictures of docs/slack.md, by the real bot on the local Slack and the sample book."""

import asyncio
import sys
import tempfile
from pathlib import Path

from tests.fakes.pictures import WAIT, Artist, bot_on, open_artist
from tests.fakes.slack.server import APP_TOKEN, LocalSlack
from tests.fakes.slack.view import blocks_html, channel_html, modal_html, page, thread_html
from tests.fakes.slack.world import Json


async def answered(slack: LocalSlack, channel: str, root: str, count: int) -> None:
    await slack.until(
        lambda: len([each for each in slack.world.replies(channel, root) if is_whole(each)]) >= count, WAIT
    )


def is_whole(message: Json) -> bool:
    return any(block["type"] == "context_actions" for block in message.get("blocks", []))


async def main() -> None:
    async with LocalSlack() as slack, open_artist("slack", width=720) as artist:
        settings = {"SLACK_API_URL": slack.api_url, "SLACK_BOT_TOKEN": slack.team.token}
        settings["SLACK_APP_TOKEN"] = APP_TOKEN
        connected = slack.until(lambda: slack.sockets.open, WAIT)
        with tempfile.TemporaryDirectory() as folder:
            async with bot_on(settings, connected, data=Path(folder), port=8799):
                await draw_all(artist, slack)
        sys.stdout.write(f"complaints: {slack.complaints}\n")


async def draw_all(artist: Artist, slack: LocalSlack) -> None:
    world, people, team = slack.world, slack.people, slack.team.id
    ann, bob = world.add_user("ann", team=team), world.add_user("bob", team=team)
    lea = world.add_user("lea", team=team, is_admin=True)
    channel = world.add_channel("study-group", team=team)
    direct = world.add_channel("dm", team=team, kind="im", user=ann)
    mention = f"<@{slack.team.bot_user}>"

    asked = people.says(ann, channel, f"{mention} What is a topic?")
    await answered(slack, channel, asked["ts"], 1)
    people.says(bob, channel, "and how is a service different?", thread=asked["ts"])
    await answered(slack, channel, asked["ts"], 2)
    side = thread_html(world, channel, asked["ts"])
    await artist.draw("thread", page("#study-group", channel_html(world, channel), side=side), width=1180)

    claim = people.says(bob, channel, "I think a Kalman filter needs no model of how the robot moves.")
    people.says(ann, channel, f"{mention} is that right?", thread=claim["ts"])
    await answered(slack, channel, claim["ts"], 1)
    await artist.draw("about", page("Thread", thread_html(world, channel, claim["ts"])))

    await people.types(ann, channel, "/search", "quality of service limit:3")
    (found,) = await slack.until(lambda: world.ephemeral, WAIT)
    private = f'<div class="private"><small>Only visible to you</small>{blocks_html(found["blocks"])}</div>'
    await artist.draw("search", page("#study-group", private))

    reply = world.replies(channel, asked["ts"])[0]
    button = next(block for block in reply["blocks"] if block["type"] == "actions")["elements"][0]
    await people.clicks(ann, channel, reply, button["action_id"], button["value"])
    view = await slack.until(lambda: next(iter(world.views.values()), None), WAIT)
    await artist.draw("source", page("", modal_html(view)), width=620)
    world.views.clear()

    await people.uses_shortcut(ann, channel, claim, "ask_about")
    view = await slack.until(lambda: next(iter(world.views.values()), None), WAIT)
    await artist.draw("form", page("", modal_html(view)), width=620)

    people.opens_home(lea, direct)
    home = await slack.until(lambda: world.homes.get(lea), WAIT)
    await artist.draw("home", page("Home", blocks_html(home["blocks"])))


if __name__ == "__main__":
    asyncio.run(main())

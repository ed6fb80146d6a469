"""`make pictures-discord`: the pictures of docs/discord.md, by the real bot on the local Discord."""

import asyncio
import sys
import tempfile
from pathlib import Path

from bot import wording
from tests.fakes.discord.checks import walk
from tests.fakes.discord.server import LocalDiscord
from tests.fakes.discord.view import channel_html, form_html, message_html, page
from tests.fakes.discord.wire import Json
from tests.fakes.pictures import WAIT, Artist, bot_on, open_artist


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
    async with LocalDiscord().running() as discord, open_artist("discord", width=760) as artist:
        world = discord.world
        guild = world.add_guild()
        channel = world.add_channel(guild, "study-group")
        ann, bob, lea = (world.add_user(name) for name in ("ann", "bob", "lea"))
        world.join(guild, lea, is_leader=True)
        settings = {"DISCORD_TOKEN": discord.token, "DISCORD_API_BASE": discord.api_url}
        settings["DISCORD_GATEWAY_URL"] = discord.gateway_url
        connected = discord.until(lambda: discord.gateway.sessions or None, seconds=WAIT)
        with tempfile.TemporaryDirectory() as folder:
            async with bot_on(settings, connected, data=Path(folder), port=8798):
                await draw_all(artist, discord, channel, (ann, bob, lea))
        sys.stdout.write(f"unknown requests: {discord.rest.unknown}, refused: {discord.rest.refusals}\n")


async def draw_all(artist: Artist, discord: LocalDiscord, channel: Json, people: tuple[Json, Json, Json]) -> None:
    world, act = discord.world, discord.people
    ann, bob, lea = people
    asked = await act.ask(ann, channel, "What is a Kalman filter?")
    answer = await answer_in(discord, asked["id"])
    thread = world.channels[asked["id"]]
    await act.say(bob, thread, "and what is the Kalman gain?")
    await answer_in(discord, asked["id"], 2)
    side = channel_html(world, asked["id"])
    shown = page("study-group", channel_html(world, channel["id"]), side=side, side_title=thread["name"])
    await artist.draw("thread", shown, width=1240)

    claim = await act.say(bob, channel, "I think a static transform has to be sent again and again.")
    about = await act.ask(ann, channel, "is that right?", reply_to=claim)
    await answer_in(discord, about["id"])
    both = "".join(message_html(world, world.messages[channel["id"]][each["id"]]) for each in (claim, about))
    await artist.draw("reply", page("study-group", both + channel_html(world, about["id"])))

    reading = await act.press(ann, answer, press_id(answer, "Source 1"))
    passage = await discord.until_answered(reading, seconds=WAIT)
    await artist.draw("source", page("", message_html(world, passage)))

    searching = await act.slash(ann, channel, "search", query="quality of service")
    found = await discord.until_answered(searching, seconds=WAIT)
    await artist.draw("search", page("study-group", message_html(world, found)))

    menu = await act.menu(ann, claim, wording.MENU_TITLE)
    modal = await discord.until(lambda: menu.modal, seconds=WAIT)
    await artist.draw("form", page("", form_html(modal)), width=520)

    listing = await act.slash(lea, channel, "book list")
    listed = await discord.until_answered(listing, seconds=WAIT)
    await artist.draw("books", page("study-group", message_html(world, listed)))


if __name__ == "__main__":
    asyncio.run(main())

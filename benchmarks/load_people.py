"""A local Discord or Slack as a process of its own, with two hundred busy threads in it."""

import argparse
import asyncio
import json
import random
import sys
from collections.abc import Awaitable, Callable
from typing import Any

from benchmarks.load_tally import Tally, words
from tests.fakes.discord import LocalDiscord
from tests.fakes.discord.checks import text_of
from tests.fakes.discord.wire import Json
from tests.fakes.discord.world import BOT_ID
from tests.fakes.slack import LocalSlack
from tests.fakes.slack.limits import markdown_texts
from tests.fakes.slack.server import APP_TOKEN

CHANNELS, MEMBERS = 50, 50
PATIENCE_SECONDS = 600.0
"""An answer that did not come within this is lost; one that is only late is in the times."""


class Crowd:
    """Threads that talk until their questions are used up; each waits for its answers before it goes on."""

    def __init__(self, tally: Tally, *, threads: int, questions: int, seed: int) -> None:
        self.tally = tally
        self.random = random.Random(seed)
        self._threads = threads
        self._left = questions
        self._number = 0
        self._changed = asyncio.Condition()

    async def run(self, say: Callable[[int, str | None, int], Awaitable[str]]) -> None:
        """*say* says a question as the given member in a thread (or opens one) and gives the thread's id."""
        async with asyncio.TaskGroup() as group:
            for place in range(self._threads):
                group.create_task(self._talk(place, say))

    async def _talk(self, place: int, say: Callable[[int, str | None, int], Awaitable[str]]) -> None:
        thread: str | None = None
        await asyncio.sleep(self.random.uniform(0, 8))
        while self._left > 0:
            # Two members often ask at once; the answers must come in the order of the questions.
            burst = 1 if thread is None else self.random.choice([1, 1, 2])
            numbers = [self._next() for _ in range(min(burst, self._left))]
            for at, number in enumerate(numbers):
                thread = await say(place + at, thread, number)
            await self._until_answered(numbers)
            await asyncio.sleep(self.random.expovariate(1.0))

    def _next(self) -> int:
        self._left -= 1
        self._number += 1
        return self._number

    async def _until_answered(self, numbers: list[int]) -> None:
        try:
            async with asyncio.timeout(PATIENCE_SECONDS), self._changed:
                await self._changed.wait_for(lambda: all(map(self.tally.is_answered, numbers)))
        except TimeoutError:
            return

    async def notify(self) -> None:
        async with self._changed:
            self._changed.notify_all()


class Typed(list[str]):
    """Where the local Discord writes down in which channels the bot types."""

    def __init__(self, tally: Tally) -> None:
        super().__init__()
        self._tally = tally

    def append(self, channel: str) -> None:
        super().append(channel)
        self._tally.sign(channel)


async def discord_day(options: argparse.Namespace) -> dict[str, object]:
    tally = Tally()
    crowd = Crowd(tally, threads=options.threads, questions=options.questions, seed=1)
    async with LocalDiscord().running() as discord:
        guild = discord.world.add_guild()
        channels = [discord.world.add_channel(guild, f"room-{n}") for n in range(CHANNELS)]
        members = [discord.world.add_user(f"member{n}") for n in range(MEMBERS)]
        for member in members:
            discord.world.join(guild, member)
        discord.messages.typed = Typed(tally)
        background: set[asyncio.Task[None]] = set()

        def look(event: str, body: Json) -> None:
            if event in {"MESSAGE_CREATE", "MESSAGE_UPDATE"} and body["author"]["id"] == BOT_ID:
                tally.shown(body["channel_id"], body["id"], text_of(body))
                task = asyncio.create_task(crowd.notify())
                background.add(task)
                task.add_done_callback(background.discard)

        discord.on_event.append(look)
        tell({"discord_token": discord.token, "discord_api_base": discord.api_url,
              "discord_gateway_url": discord.gateway_url})  # fmt: skip
        await discord.until(lambda: discord.gateway.sessions or None, seconds=120)
        await discord.until(lambda: discord.interactions.commands or None, seconds=120)
        interactions: list[Any] = []

        async def say(place: int, thread: str | None, number: int) -> str:
            member, channel = members[place % MEMBERS], channels[place % CHANNELS]
            # Every tenth member also looks something up by a command, which Discord wants acknowledged in time.
            if number % 10 == 0:
                interactions.append(await discord.people.slash(member, channel, "search", query="named channel"))
            where = discord.world.channels[thread] if thread else channel
            content = words(number) if thread else f"{discord.people.mention()} {words(number)}"
            message = discord.world.add_message(where, member, content)
            tally.ask(thread or message["id"], number)
            await discord._tell("MESSAGE_CREATE", message)
            return thread or str(message["id"])

        await crowd.run(say)
        acks = [each.ack_seconds for each in interactions if each.ack_seconds is not None]
        unacked = len(interactions) - len(acks)
        return tally.report(acks) | {
            "commands not acknowledged": unacked,
            "refused: too many requests": discord.rates.refused + discord.rates.refused_globally,
        }


async def slack_day(options: argparse.Namespace) -> dict[str, object]:
    tally = Tally()
    crowd = Crowd(tally, threads=options.threads, questions=options.questions, seed=2)
    async with LocalSlack() as slack:
        team = slack.team.id
        channels = [slack.world.add_channel(f"room{n}", team=team) for n in range(CHANNELS)]
        members = [slack.world.add_user(f"member{n}", team=team) for n in range(MEMBERS)]
        threads: dict[str, str] = {}
        """Which thread one of the bot's messages stands in."""
        rooms: dict[str, str] = {}
        """Which channel a thread is in."""
        background: set[asyncio.Task[None]] = set()

        def look(method: str, given: dict[str, Any]) -> None:
            thread = given.get("thread_ts") or threads.get(str(given.get("ts")), "")
            if thread not in rooms or not method.startswith(("chat.", "assistant.threads.setStatus")):
                return
            tally.sign(thread)
            task = asyncio.create_task(after(thread))
            background.add(task)
            task.add_done_callback(background.discard)

        async def after(thread: str) -> None:
            """The call has been done by now; what stands in the thread is what a member sees."""
            for message in slack.world.replies(rooms[thread], thread):
                threads[message["ts"]] = thread
                tally.shown(thread, message["ts"], "\n".join(markdown_texts(message.get("blocks"))))
            await crowd.notify()

        slack.before_call = look
        tell({"slack_bot_token": slack.team.token, "slack_app_token": APP_TOKEN, "slack_api_url": slack.api_url})
        await slack.until(lambda: slack.sockets.open, seconds=120)

        async def say(place: int, thread: str | None, number: int) -> str:
            channel, member = channels[place % CHANNELS], members[place % MEMBERS]
            if thread:
                channel = rooms[thread]
                tally.ask(thread, number)
            text = words(number) if thread else f"<@{slack.team.bot_user}> {words(number)}"
            said = slack.people.says(member, channel, text, thread=thread)
            if not thread:
                tally.ask(said["ts"], number)
                rooms[said["ts"]] = channel
            return thread or str(said["ts"])

        await crowd.run(say)
        acks = [each["seconds"] for each in slack.sockets.acks]
        return tally.report(acks) | {
            "events not acknowledged": len(slack.sockets.unacked),
            "refused: too many requests": slack.rates.refused,
            "complaints": len(slack.complaints),
        }


def tell(document: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(document) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("platform", choices=["discord", "slack"])
    parser.add_argument("--threads", type=int, default=200)
    parser.add_argument("--questions", type=int, default=5000)
    given = parser.parse_args()
    tell(asyncio.run(discord_day(given) if given.platform == "discord" else slack_day(given)))

"""`make soak-discord`: thousands of events, duplicates, reorderings and SIGKILLs; every question answered once."""

import argparse
import asyncio
import random
import sqlite3
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

from tests.fakes.discord import LocalDiscord
from tests.fakes.discord.checks import text_of
from tests.fakes.discord.wire import Json
from tests.soak.child import Child
from tests.soak.outcome import Outcome, kept_if_wrong, numbers_in, settle
from tests.soak.tally import Tally

CHANNELS = 40
MEMBERS = 25


class Soak:
    """People who ask without end, and a bot that dies now and then."""

    def __init__(self, discord: LocalDiscord, child: Child, *, events: int, per_second: float, seed: int) -> None:
        self.tally = Tally()
        self._discord = discord
        self._child = child
        self._events = events
        self._per_second = per_second
        self._random = random.Random(seed)
        self._guild = discord.world.add_guild()
        self._channels = [discord.world.add_channel(self._guild, f"room-{n}") for n in range(CHANNELS)]
        self._members = [discord.world.add_user(f"member{n}") for n in range(MEMBERS)]
        for member in self._members:
            discord.world.join(self._guild, member)
        self._threads: list[Json] = []
        self._late: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        await self._child.start()
        await self._discord.until(lambda: self._discord.gateway.sessions or None, seconds=30)
        await self._meet()
        killing = asyncio.create_task(self._kill_now_and_then())
        while self.tally.events < self._events:
            await self._one_event()
            await asyncio.sleep(self._random.expovariate(self._per_second))
        killing.cancel()
        await asyncio.gather(*self._late)
        if self._child.has_ended:
            await self._child.start()

    async def _meet(self) -> None:
        """Everybody says hello first: who writes for the first time while a bot is away stays unknown to it."""
        for member in self._members:
            place = self._discord.world.dm_with(member)
            await self._discord.people.say(member, place, "where do we begin")
            await self._discord.until_said(place["id"], "where do we begin", seconds=30)

    async def _kill_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(self._random.uniform(2, 12))
            await self._child.kill()
            # Sometimes nobody notices for a while.
            await asyncio.sleep(self._random.choice([0.0, 0.0, 0.5, 3.0]))
            await self._child.start()

    async def _one_event(self) -> None:
        self.tally.events += 1
        number = len(self.tally.asked) + len(self.tally.commands)
        kind = self._random.random()
        if kind < 0.12 and self.tally.asked:
            await self._repeat()
        elif kind < 0.24:
            await self._command(number)
        else:
            await self._message(number, kind)

    async def _message(self, number: int, kind: float) -> None:
        member = self._random.choice(self._members)
        words = f"question {number} please"
        self._threads += [
            self._discord.world.channels[channel["id"]]
            for channel in self._discord.world.guilds[self._guild["id"]]["threads"][len(self._threads) :]
        ]
        if kind < 0.3:
            place, how = self._discord.world.dm_with(member), "direct message"
        elif kind < 0.62 and self._threads:
            place, how = self._random.choice(self._threads[-200:]), "follow-up"
        else:
            place, how = self._random.choice(self._channels), "mention"
            words = f"{self._discord.people.mention()} {words}"
        self.tally.asked[number] = how
        message = self._discord.world.add_message(place, member, words)
        if self._random.random() < 0.15:
            self.tally.reordered += 1
            task = asyncio.create_task(self._tell_later(message))
            self._late.add(task)
            task.add_done_callback(self._late.discard)
        else:
            await self._discord._tell("MESSAGE_CREATE", message)

    async def _tell_later(self, message: Json) -> None:
        """Some events overtake others."""
        await asyncio.sleep(self._random.uniform(0.05, 0.6))
        await self._discord._tell("MESSAGE_CREATE", message)

    async def _command(self, number: int) -> None:
        self.tally.commands.add(number)
        member, channel = self._random.choice(self._members), self._random.choice(self._channels)
        if self._discord.interactions.commands:
            await self._discord.people.slash(member, channel, "ask", question=f"question {number} please")

    async def _repeat(self) -> None:
        """The gateway sends something a second time."""
        channel = self._random.choice(self._channels)
        messages = [
            each for each in self._discord.world.messages[channel["id"]].values() if not each["author"]["bot"]
        ]
        if messages:
            self.tally.duplicates += 1
            await self._discord._tell("MESSAGE_CREATE", self._random.choice(messages))


def answers(discord: LocalDiscord) -> Counter[int]:
    """How often each question was answered, counted in what the bot has finally written."""
    found: Counter[int] = Counter()
    for channel_id in discord.world.messages:
        for message in discord.said(channel_id):
            found.update(numbers_in(text_of(message).split("\n-# [1]")[0].partition("You asked")[2]))
    return found


def stored_commands(data: Path) -> set[int]:
    """The questions by command that the bot has taken."""
    with closing(sqlite3.connect(f"file:{data / 'footnote.db'}?mode=ro", uri=True)) as connection:
        rows = connection.execute("SELECT question FROM turns WHERE event_id LIKE 'discord:i:%'").fetchall()
    return {number for (question,) in rows for number in numbers_in(question)}


async def main(events: int, per_second: float, seed: int) -> int:
    with kept_if_wrong() as data:
        async with LocalDiscord().running() as discord:
            place = ["--api", discord.api_url, "--gateway", discord.gateway_url, "--token", discord.token]
            child = Child(["tests.soak.discord_bot", "--data", str(data), *place], log=data / "bot.log")
            soak = Soak(discord, child, events=events, per_second=per_second, seed=seed)
            started = time.monotonic()
            try:
                await soak.run()
                await settle(set(soak.tally.asked), lambda: answers(discord), data, seconds=180)
            finally:
                await child.close()
            return report(soak, discord, data, child, time.monotonic() - started)


def report(soak: Soak, discord: LocalDiscord, data: Path, child: Child, seconds: float) -> int:
    tally, taken = soak.tally, stored_commands(data)
    kinds = Counter(tally.asked.values())
    counted = {
        "events sent": tally.events,
        "questions by message": len(tally.asked),
        "  of them mentions": kinds["mention"],
        "  of them follow-ups": kinds["follow-up"],
        "  of them direct messages": kinds["direct message"],
        "questions by command": len(tally.commands),
        "  of them taken by the bot": len(taken),
        "duplicated events": tally.duplicates,
        "reordered events": tally.reordered,
        "SIGKILLs of the bot": child.kills,
        "starts of the bot": child.starts,
        "requests to Discord": len(discord.rest.calls),
        "refused: too many for a route": discord.rates.refused,
        "refused: too many in all": discord.rates.refused_globally,
        "seconds": round(seconds),
    }
    outcome = Outcome(set(tally.asked) | taken, answers(discord), discord.rest.unknown)
    return outcome.report(counted, data)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--events", type=int, default=2500)
    parser.add_argument("--per-second", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sys.exit(asyncio.run(main(options.events, options.per_second, options.seed)))

"""`make bench-discord`: how soon 50 busy channels see that they were heard, and what the bot itself costs."""

import argparse
import asyncio
import random
import statistics
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from tests.fakes.discord import LocalDiscord
from tests.fakes.discord.wire import Json
from tests.soak.child import Child

CHANNELS = 50
ROUNDS = 100
BREATH_SECONDS = 0.15
MAX_ACK_SECONDS = 1.0
MAX_RATIO = 3.0


@dataclass
class Numbers:
    """Seconds from a question to what followed."""

    heard: list[float] = field(default_factory=list)
    """To the first sign: typing, a message, or the acknowledgement of a command."""
    answered: list[float] = field(default_factory=list)
    per_channel: list[int] = field(default_factory=list)


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


class Bench:
    """One local Discord with one bot process on it."""

    def __init__(self, discord: LocalDiscord, *, channels: int) -> None:
        self.discord = discord
        self.guild = discord.world.add_guild()
        self.channels = [discord.world.add_channel(self.guild, f"room-{n}") for n in range(channels)]
        self.members = [discord.world.add_user(f"member{n}") for n in range(channels)]

    async def ready(self) -> None:
        await self.discord.until(lambda: self.discord.gateway.sessions or None, seconds=60)

    async def ask(self, number: int, words: str) -> tuple[float, float]:
        """Ask in channel *number*; seconds to the first sign and to the answer."""
        channel, member = self.channels[number], self.members[number]
        typed = self.discord.messages.typed.count(channel["id"])
        started = time.perf_counter()
        asked = await self.discord.people.ask(member, channel, words)

        def answer() -> Json | None:
            said = self.discord.said(asked["id"]) + self.discord.said(channel["id"])
            return next((each for each in reversed(said) if words in str(each)), None)

        def sign() -> bool:
            # The thread that opens on the question is the first thing to see; without one, it is typing.
            if asked["id"] in self.discord.world.channels:
                return True
            has_typed = self.discord.messages.typed.count(channel["id"]) > typed
            return has_typed or answer() is not None

        await self.discord.until(sign, seconds=120)
        heard = time.perf_counter() - started
        await self.discord.until(answer, seconds=120)
        return heard, time.perf_counter() - started

    async def command(self, number: int, words: str) -> tuple[float, float]:
        """The same with /ask."""
        started = time.perf_counter()
        used = await self.discord.people.slash(self.members[number], self.channels[number], "ask", question=words)
        await self.discord.until(lambda: used.acknowledged is not None, seconds=120)
        heard = time.perf_counter() - started
        await self.discord.until_answered(used, words, seconds=120)
        return heard, time.perf_counter() - started


async def busy(bench: Bench, seconds: float) -> Numbers:
    """Everybody asks, waits for the answer, thinks a little and asks again."""
    numbers = Numbers(per_channel=[0] * CHANNELS)
    until = time.monotonic() + seconds

    async def one(channel: int) -> None:
        await asyncio.sleep(random.uniform(0, 5))
        while time.monotonic() < until:
            words = f"question {channel} {numbers.per_channel[channel]} please"
            asking = bench.command if random.random() < 0.2 else bench.ask
            heard, answered = await asking(channel, words)
            numbers.heard.append(heard)
            numbers.answered.append(answered)
            numbers.per_channel[channel] += 1
            await asyncio.sleep(random.uniform(1, 4))

    await asyncio.gather(*(one(channel) for channel in range(CHANNELS)))
    return numbers


async def overhead(ours: Bench, echo: Bench) -> tuple[Numbers, Numbers]:
    """The same question to both bots, one after the other, again and again."""
    mine, bare = Numbers(), Numbers()
    for number in range(ROUNDS):
        for bench, numbers in ((ours, mine), (echo, bare)):
            heard, answered = await bench.ask(number % CHANNELS, f"round {number} please")
            numbers.heard.append(heard)
            numbers.answered.append(answered)
        # Neither bot may come near what Discord takes in a second: it is not waiting that is measured.
        await asyncio.sleep(BREATH_SECONDS)
    return mine, bare


async def start(stack: AsyncExitStack, module: str, folder: Path, name: str, *more: str) -> Bench:
    discord = await stack.enter_async_context(LocalDiscord().running())
    bench = Bench(discord, channels=CHANNELS)
    place = ["--api", discord.api_url, "--gateway", discord.gateway_url, "--token", discord.token]
    child = Child([module, *place, *more], log=folder / f"{name}.log")
    stack.push_async_callback(child.close)
    await child.start()
    await bench.ready()
    return bench


async def main(seconds: float) -> int:
    random.seed(1)
    with tempfile.TemporaryDirectory() as folder:
        async with AsyncExitStack() as stack:
            data = Path(folder) / "busy"
            slow = ["--data", str(data), "--least", "0.5", "--most", "2.0", "--at-once", "32"]
            many = await start(stack, "tests.soak.discord_bot", Path(folder), "busy", *slow)
            numbers = await busy(many, seconds)
            refused = many.discord.rates.refused + many.discord.rates.refused_globally
        async with AsyncExitStack() as stack:
            data = Path(folder) / "quick"
            quick = ["--data", str(data), "--least", "0", "--most", "0", "--no-pauses"]
            ours = await start(stack, "tests.soak.discord_bot", Path(folder), "quick", *quick)
            echo = await start(stack, "benchmarks.discord_echo", Path(folder), "echo")
            mine, bare = await overhead(ours, echo)
    return report(numbers, mine, bare, refused)


def report(numbers: Numbers, mine: Numbers, bare: Numbers, refused: int) -> int:
    heard = percentile(numbers.heard, 0.99)
    first = statistics.median(mine.heard) / statistics.median(bare.answered)
    whole = statistics.median(mine.answered) / statistics.median(bare.answered)
    rows = {
        "questions in 50 busy channels": len(numbers.heard),
        "heard, median / p99 / worst (s)": (
            f"{statistics.median(numbers.heard):.3f} / {heard:.3f} / {max(numbers.heard):.3f}"
        ),
        "answered, median / p99 / worst (s)": (
            f"{statistics.median(numbers.answered):.2f} / {percentile(numbers.answered, 0.99):.2f} / "
            f"{max(numbers.answered):.2f}"
        ),
        "answers per channel, least / most": f"{min(numbers.per_channel)} / {max(numbers.per_channel)}",
        "requests that Discord refused": refused,
        "bare echo bot, event to reply, median (ms)": f"{1000 * statistics.median(bare.answered):.1f}",
        "ours, event to first sign, median (ms)": f"{1000 * statistics.median(mine.heard):.1f} ({first:.2f} x)",
        "ours, event to whole answer in its thread, median (ms)": (
            f"{1000 * statistics.median(mine.answered):.1f} ({whole:.2f} x)"
        ),
    }
    width = max(map(len, rows))
    sys.stdout.write("\n".join(f"{name:<{width}}  {value}" for name, value in rows.items()) + "\n")
    is_good = heard < MAX_ACK_SECONDS and max(first, whole) <= MAX_RATIO and min(numbers.per_channel) > 0
    return 0 if is_good else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60.0)
    sys.exit(asyncio.run(main(parser.parse_args().seconds)))

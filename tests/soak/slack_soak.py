"""`make soak-slack`: thousands of events, duplicates, reorderings and SIGKILLs; every question answered once."""

import argparse
import asyncio
import random
import sys
import time
from collections import Counter
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from tests.fakes.slack import LocalSlack
from tests.fakes.slack.limits import markdown_texts
from tests.fakes.slack.server import APP_TOKEN
from tests.fakes.slack.world import Json
from tests.soak.child import Child
from tests.soak.outcome import Outcome, count_late, kept_if_wrong, numbers_in, settle
from tests.soak.tally import Tally

CHANNELS = 40
MEMBERS = 25
START_SECONDS = 300.0
"""On a machine that has other things to do, a start takes its time."""
SETTLE_SECONDS = 1500.0
"""Slack's last delivery comes six minutes after the question; then everything is looked through, page by page."""


class Soak:
    """People who ask without end, and a bot that dies now and then."""

    def __init__(self, slack: LocalSlack, child: Child, *, events: int, per_second: float, seed: int) -> None:
        self.tally = Tally()
        self._slack = slack
        self._child = child
        self._events = events
        self._per_second = per_second
        self._random = random.Random(seed)
        world, team = slack.world, slack.team.id
        self._channels = [world.add_channel(f"room{number}", team=team) for number in range(CHANNELS)]
        self._members = [world.add_user(f"member{number}", team=team) for number in range(MEMBERS)]
        self._direct = {
            member: world.add_channel(f"dm{member}", team=team, kind="im", user=member) for member in self._members
        }
        self._sent: list[Json] = []
        self._number = 0
        self._later: set[asyncio.Task[None]] = set()

    @property
    def owed(self) -> set[int]:
        """The questions that must be answered."""
        return set(self.tally.asked) | self.tally.commands

    async def run(self) -> None:
        await self._child.start()
        await self._slack.until(lambda: self._slack.sockets.open, seconds=START_SECONDS)
        killing = asyncio.create_task(self._kill_now_and_then())
        while self.tally.events < self._events:
            if killing.done():
                await killing
            self._one_event()
            await asyncio.sleep(self._random.expovariate(self._per_second))
        killing.cancel()
        await asyncio.gather(*self._later)
        if self._child.has_ended:
            await self._child.start()

    async def _kill_now_and_then(self) -> None:
        while True:
            # Mostly it lives for a while; now and then it dies before it has even connected.
            if self._random.random() < 0.8:
                await self._slack.until(lambda: self._slack.sockets.open, seconds=START_SECONDS)
            await asyncio.sleep(self._random.uniform(1, 10))
            if self._child.has_ended:
                raise RuntimeError("the bot ended by itself")
            await self._child.kill()
            # Sometimes nobody notices for a while.
            await asyncio.sleep(self._random.choice([0.0, 0.0, 0.5, 3.0, 20.0]))
            await self._child.start()

    def _one_event(self) -> None:
        self.tally.events += 1
        kind = self._random.random()
        if kind < 0.12 and self._sent:
            self.tally.duplicates += 1
            payload = self._random.choice(self._sent[-300:])
            self._slack.people.event(payload["event"], team=payload["team_id"], event_id=payload["event_id"])
        elif kind < 0.2:
            self._start(self._command(self._next_number()))
        else:
            self._message(self._next_number(), kind)

    def _next_number(self) -> int:
        self._number += 1
        return self._number

    def _message(self, number: int, kind: float) -> None:
        member, words = self._random.choice(self._members), f"question {number} please"
        thread = self._answered_thread() if 0.3 < kind < 0.6 else None
        if kind < 0.3:
            channel, how = self._direct[member], "direct message"
        elif kind > 0.95:
            thread, how = self._somebodys_message(), "mention under somebody's message"
            channel, words = thread["channel"], f"<@{self._slack.team.bot_user}> {words}"
        elif thread is not None:
            channel, how = thread["channel"], "follow-up"
        else:
            channel, how = self._random.choice(self._channels), "mention"
            words = f"<@{self._slack.team.bot_user}> {words}"
        self.tally.asked[number] = how
        root = thread["thread_ts"] if thread is not None else None
        is_late = self._random.random() < 0.15
        self.tally.reordered += is_late
        self._start(
            self._say(member, channel, words, root, late=self._random.uniform(0.05, 0.6) if is_late else 0.0)
        )

    async def _say(self, member: str, channel: str, words: str, thread: str | None, *, late: float) -> None:
        """Some events overtake others."""
        await asyncio.sleep(late)
        is_mention_last = self._random.random() < 0.5
        said = self._slack.people.says(member, channel, words, thread=thread, is_mention_last=is_mention_last)
        self._sent.append({"event": said, "team_id": said["team"], "event_id": f"Ev{said['ts']}"})

    def _answered_thread(self) -> Json | None:
        channel = self._random.choice(self._channels)
        replies = [each for each in self._slack.world.answers(channel) if each.get("thread_ts")]
        return self._random.choice(replies) if replies else None

    def _somebodys_message(self) -> Json:
        """Something that members say among themselves; a question about it may follow in its thread."""
        channel, member = self._random.choice(self._channels), self._random.choice(self._members)
        said = self._slack.people.says(member, channel, "Does anybody know this?")
        return {**said, "thread_ts": said["ts"]}

    async def _command(self, number: int) -> None:
        member, channel = self._random.choice(self._members), self._random.choice(self._channels)
        ack = await self._slack.people.types(member, channel, "/ask", f"question {number} please")
        if ack["acked"] and not ack["payload"]:
            self.tally.commands.add(number)
        else:
            self.tally.refused_commands += 1

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._later.add(task)
        task.add_done_callback(self._later.discard)


def answers(slack: LocalSlack) -> Counter[int]:
    """How often each question was answered, counted in what the bot has finally written."""
    found: Counter[int] = Counter()
    for channel in slack.world.messages:
        for message in slack.world.answers(channel):
            text = "\n".join(markdown_texts(message.get("blocks")))
            if "You asked" in text:
                found.update(numbers_in(text))
    return found


async def main(events: int, per_second: float, seed: int) -> int:
    with kept_if_wrong() as data:
        async with LocalSlack() as slack:
            place = ["--api", slack.api_url, "--token", slack.team.token, "--app-token", APP_TOKEN]
            child = Child(["tests.soak.slack_bot", "--data", str(data), *place], log=data / "bot.log")
            soak = Soak(slack, child, events=events, per_second=per_second, seed=seed)
            started = time.monotonic()
            try:
                await soak.run()
                await settle(soak.owed, lambda: answers(slack), data, seconds=SETTLE_SECONDS)
            finally:
                await child.close()
            return report(soak, slack, data, child, time.monotonic() - started)


def report(soak: Soak, slack: LocalSlack, data: Path, child: Child, seconds: float) -> int:
    tally = soak.tally
    kinds = Counter(tally.asked.values())
    streams = Counter(stream.state for stream in slack.world.streams.values())
    latencies = sorted(ack["seconds"] for ack in slack.sockets.acks) or [0.0]
    rows = {
        "events sent": tally.events,
        "questions by message": len(tally.asked),
        "  of them mentions (two events each)": kinds["mention"],
        "  of them follow-ups": kinds["follow-up"],
        "  of them under somebody's message": kinds["mention under somebody's message"],
        "  of them direct messages": kinds["direct message"],
        "questions by command, taken": len(tally.commands),
        "commands while nobody listened": tally.refused_commands,
        "duplicated events": tally.duplicates,
        "reordered events": tally.reordered,
        "events that Slack gave up": len(slack.sockets.unacked),
        "questions found by looking back": count_late(data),
        "SIGKILLs of the bot": child.kills,
        "starts of the bot": child.starts,
        "answers streamed": sum(streams.values()),
        "streams left open": streams["open"],
        "calls of the Web API": len(slack.calls),
        "refused: too many": slack.rates.refused,
        "reads of history": slack.count("conversations.replies") + slack.count("conversations.history"),
        "acknowledged within (median, 99 %), ms": (
            f"{latencies[len(latencies) // 2] * 1000:.0f}, {latencies[int(len(latencies) * 0.99)] * 1000:.0f}"
        ),
        "seconds": round(seconds),
    }
    return Outcome(soak.owed, answers(slack), slack.complaints).report(rows, data)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--events", type=int, default=2000)
    parser.add_argument("--per-second", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sys.exit(asyncio.run(main(options.events, options.per_second, options.seed)))

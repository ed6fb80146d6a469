"""How fast we may be."""

import asyncio

from bot.adapters.slack.pace import PER_MINUTE, POST_BURST, Pace


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_what_is_optional_stops_below_slacks_tier_and_goes_on_a_minute_later() -> None:
    clock = Clock()
    pace = Pace(clock=clock)

    assert [pace.may("start", "T1") for _ in range(PER_MINUTE["start"] + 1)].count(True) == PER_MINUTE["start"]
    assert pace.may("start", "T2")
    clock.now += 60
    assert pace.may("start", "T1")


async def test_a_few_messages_pass_at_once_and_the_next_waits() -> None:
    pace = Pace()

    async with asyncio.timeout(0.5):
        for _ in range(POST_BURST + 1):
            await pace.post("C1")
        await pace.post("C2")
    next_one = asyncio.create_task(pace.post("C1"))
    done, _ = await asyncio.wait({next_one}, timeout=0.05)

    assert not done
    next_one.cancel()

"""How fast we may be."""

import asyncio

from bot.adapters.slack.pace import (
    NEWS_PER_MINUTE,
    PER_MINUTE,
    POST_BURST,
    POSTS_AT_ONCE,
    STATUS_BURST,
    Pace,
)


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


async def passes_at_once(pace: Pace, team: str, channel: str) -> bool:
    """Whether a message may be posted without any waiting; one that must wait is given up."""
    post = asyncio.create_task(pace.post(team, channel))
    await asyncio.sleep(0)
    has_passed = post.done()
    post.cancel()
    return has_passed


def test_what_is_optional_stops_below_slacks_tier_and_goes_on_a_minute_later() -> None:
    clock = Clock()
    pace = Pace(clock=clock)

    assert [pace.may("start", "T1") for _ in range(PER_MINUTE["start"] + 1)].count(True) == PER_MINUTE["start"]
    assert pace.may("start", "T2")
    clock.now += 60
    assert pace.may("start", "T1")


async def test_a_few_messages_pass_at_once_and_the_next_waits() -> None:
    pace = Pace(clock=Clock())

    passed = [await passes_at_once(pace, "T1", "C1") for _ in range(POST_BURST + 2)]

    assert passed == [True] * (POST_BURST + 1) + [False]
    assert await passes_at_once(pace, "T1", "C2")


def test_each_channel_has_room_for_its_own_first_signs() -> None:
    pace = Pace(clock=Clock())

    shown = [pace.may_say_status("T1", f"C{number % 50}", is_first=True) for number in range(200)]

    assert shown.count(True) == 50 * (STATUS_BURST + 1)


def test_a_first_sign_goes_before_news_of_a_question_that_has_one() -> None:
    clock = Clock()
    pace = Pace(clock=clock)

    assert pace.may_say_status("T1", "C1", is_first=False)
    assert not pace.may_say_status("T1", "C1", is_first=False)
    assert pace.may_say_status("T1", "C1", is_first=True)
    clock.now += STATUS_BURST + 1
    assert pace.may_say_status("T1", "C1", is_first=False)


def test_news_leave_room_for_the_first_signs_of_a_workspace() -> None:
    pace = Pace(clock=Clock())

    told = [pace.may_say_status("T1", f"C{number}", is_first=False) for number in range(2 * NEWS_PER_MINUTE)]

    assert told.count(True) == NEWS_PER_MINUTE
    assert pace.may_say_status("T1", "C999", is_first=True)


async def test_a_workspace_as_a_whole_has_its_own_pace() -> None:
    pace = Pace(clock=Clock())

    passed = [await passes_at_once(pace, "T1", f"C{number}") for number in range(POSTS_AT_ONCE + 2)]

    assert passed == [True] * (POSTS_AT_ONCE + 1) + [False]
    assert await passes_at_once(pace, "T2", "C1000")

"""We never ask more of Discord than it takes from one bot."""

from bot.adapters.discord.pace import BURST, PER_SECOND, SHOW_EVERY_SECONDS, Pace


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


async def test_what_is_saved_up_and_what_comes_in_a_second_stay_below_discords_limit() -> None:
    assert PER_SECOND + BURST <= 50


async def test_request_that_does_not_fit_waits_and_those_behind_it_too() -> None:
    clock = Clock()
    pace = Pace(per_second=1000, clock=clock)
    clock.now += 1
    for _ in range(int(BURST)):
        await pace.take()

    assert not pace.may_spare()
    clock.now += 1
    await pace.take()


async def test_what_nobody_would_miss_is_left_out_before_the_budget_is_spent() -> None:
    clock = Clock()
    pace = Pace(per_second=1, clock=clock)
    clock.now += 10
    spared = sum(pace.may_spare() for _ in range(20))

    assert 0 < spared < BURST
    await pace.take()
    clock.now += 10
    assert pace.may_spare()


async def test_new_process_does_not_begin_with_what_an_earlier_one_may_have_used_up() -> None:
    assert not Pace(clock=Clock()).may_spare()


async def test_progress_waits_for_plenty_and_no_longer_than_it_is_wanted() -> None:
    clock, pace = Clock(), Pace(per_second=1000)
    assert await pace.spare(lambda: True)

    looks = iter([True, True, False])
    assert not await Pace(clock=clock).spare(lambda: next(looks))


async def test_progress_in_one_place_is_spaced_however_many_answers_are_written_there() -> None:
    clock = Clock()
    pace = Pace(clock=clock)
    clock.now += 10
    looks = iter([True, False])

    assert await pace.spare(lambda: True, place=1)
    assert not await pace.spare(lambda: next(looks), place=1)
    assert await pace.spare(lambda: True, place=2)
    clock.now += SHOW_EVERY_SECONDS
    assert await pace.spare(lambda: True, place=1)

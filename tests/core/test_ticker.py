"""Work that is done again and again, whatever becomes of one time."""

import asyncio
import logging

import pytest

from core.errors import ServiceDown
from core.ticker import Ticker

WAIT = 60.0


class Work:
    """Fails as the script says, and goes well from then on."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.went_well = asyncio.Event()

    async def __call__(self) -> None:
        if self.failures:
            raise self.failures.pop(0)
        self.went_well.set()


@pytest.mark.parametrize(
    "failure",
    [
        pytest.param(ServiceDown("database", "the disk is full."), id="the machine's"),
        pytest.param(LookupError("no such job"), id="our own"),
    ],
)
async def test_work_goes_on_after_a_failure(failure: Exception) -> None:
    work = Work(failure, failure)
    running = asyncio.create_task(Ticker(work, name="counting").run(every_seconds=0.0))

    await asyncio.wait_for(work.went_well.wait(), WAIT)

    assert not running.done()
    running.cancel()


async def test_what_goes_on_failing_is_told_once_and_again_when_it_works(
    caplog: pytest.LogCaptureFixture,
) -> None:
    full = ServiceDown("database", "the disk is full.")
    ticker = Ticker(Work(full, full, full), name="counting")

    with caplog.at_level(logging.INFO):
        went = [await ticker.tick() for _ in range(5)]

    assert went == [False, False, False, True, True]
    assert [record.getMessage() for record in caplog.records] == [
        "counting failed and is tried again: database: the disk is full.",
        "counting works again",
    ]


async def test_only_a_mistake_of_our_own_is_told_with_its_trace(caplog: pytest.LogCaptureFixture) -> None:
    for failure in (ServiceDown("database", "the disk is full."), LookupError("no such job")):
        await Ticker(Work(failure), name="counting").tick()

    assert [bool(record.exc_info) for record in caplog.records] == [False, True]

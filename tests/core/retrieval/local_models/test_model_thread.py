"""A model is loaded once, used by one thread, and given back."""

import asyncio
import threading

import pytest

from core.errors import SettingsError
from core.retrieval.local_models.model_thread import ModelThread


async def test_callers_who_arrive_together_load_the_model_once() -> None:
    loads: list[str] = []

    def load() -> str:
        loads.append("loaded")
        return "model"

    thread = ModelThread(load, name="test")
    assert loads == []

    results = await asyncio.gather(thread.load(), *(thread.run(str.upper) for _ in range(5)))

    assert loads == ["loaded"]
    assert results[1:] == ["MODEL"] * 5
    await thread.close()


async def test_a_failed_load_is_tried_again() -> None:
    outcomes: list[Exception | str] = [SettingsError("not installed"), "model"]

    def load() -> str:
        outcome = outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    thread = ModelThread(load, name="test")

    with pytest.raises(SettingsError):
        await thread.load()
    assert await thread.run(len) == 5
    await thread.close()


async def test_closing_waits_for_the_work_in_hand_and_cancels_the_rest() -> None:
    started, release, done = threading.Event(), threading.Event(), threading.Event()

    def work(model: str) -> str:
        started.set()
        release.wait(5)
        done.set()
        return model

    thread = ModelThread(lambda: "model", name="test")
    running = asyncio.create_task(thread.run(work))
    waiting = asyncio.create_task(thread.run(str.upper))
    await asyncio.to_thread(started.wait, 5)

    closing = asyncio.create_task(thread.close())
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert not closing.done()
    release.set()
    await closing

    assert done.is_set()
    assert await running == "model"


async def test_closing_twice_or_unused_is_harmless() -> None:
    thread = ModelThread(lambda: "model", name="test")

    await thread.close()
    await thread.close()

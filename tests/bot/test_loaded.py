"""What was loaded at the start costs the event loop nothing later."""

import gc
from collections.abc import Iterator

import pytest

from bot.loaded import set_aside_what_is_loaded


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    yield
    gc.unfreeze()


def test_what_is_loaded_is_not_looked_through_again() -> None:
    loaded = [[each] for each in range(1000)]

    set_aside_what_is_loaded()

    ids = {id(each) for each in gc.get_objects()}
    assert ids.isdisjoint(map(id, loaded))
    assert gc.get_freeze_count() > len(loaded)

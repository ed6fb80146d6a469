"""What the log says: waited for as for any other event, and looked at field by field."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


class _Logged(logging.Handler):
    def __init__(self, words: str) -> None:
        super().__init__()
        self.came = asyncio.Event()
        self._words = words

    def emit(self, record: logging.LogRecord) -> None:
        if self._words in record.getMessage():
            self.came.set()


@contextmanager
def logged(words: str) -> Iterator[asyncio.Event]:
    """An event that comes when a line with *words* is logged inside the block."""
    handler, root = _Logged(words), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(min(level, logging.INFO))
    try:
        yield handler.came
    finally:
        root.setLevel(level)
        root.removeHandler(handler)


def fields(caplog: pytest.LogCaptureFixture, name: str) -> list[object]:
    """What the lines logged so far carry as *name*, which is what a JSON line has under it."""
    return [vars(record)[name] for record in caplog.records if name in vars(record)]

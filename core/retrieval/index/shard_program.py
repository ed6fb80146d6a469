"""The program that holds a shard for the bot, in a process of its own.

It is asked for one call of the shard at a time and answers each with a `Done`, the opening first.
"""

import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from core.pipes import own_output, read_value, write_value
from core.retrieval.index.edge_shard import EdgeShard
from core.retrieval.index.shard_process import Done


def main(folder: Path) -> None:
    """Answer until the bot is gone."""
    # Whoever stops the bot often signals its whole group; the bot still needs us for its last answers.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    requests, answers = sys.stdin.buffer, own_output()
    try:
        shard, error = _done(partial(EdgeShard, folder))
        write_value(answers, (None, error))
        while shard is not None:
            call, args, kwargs = read_value(requests)
            write_value(answers, _done(partial(call, shard, *args, **kwargs)))
    except (EOFError, BrokenPipeError):
        # At once, as if killed with the bot, because the next one may be waiting for the files. Nothing is lost:
        # what was put is in the engine's log, and one that closes properly has asked for that.
        os._exit(0)


def _done(work: Callable[[], Any]) -> Done:
    try:
        return work(), None
    # The bot decides what to do about it, as if it had called the shard itself.
    except Exception as error:
        return None, error


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""What became of the questions of a soak: each answered once, or the story of those that were not."""

import asyncio
import re
import shutil
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

WRONG = "wrong.txt"
LINE = re.compile(r"question (\d+) please")


@contextmanager
def kept_if_wrong() -> Iterator[Path]:
    """A data folder for the bot, which stays for whoever looks for the reason if something went wrong."""
    data = Path(tempfile.mkdtemp(prefix="footnote-soak-"))
    yield data
    if not (data / WRONG).exists():
        shutil.rmtree(data)


def numbers_in(text: str) -> set[int]:
    """The questions that a text asks or repeats."""
    return {int(number) for number in LINE.findall(text)}


def _rows(data: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(f"file:{data / 'footnote.db'}?mode=ro", uri=True)) as connection:
        return list(connection.execute(query))


def open_turns(data: Path) -> int:
    """How many turns the ledger still owes."""
    return int(
        str(_rows(data, "SELECT count(*) FROM turns WHERE state NOT IN ('done', 'failed', 'joined')")[0][0])
    )


def count_late(data: Path) -> int:
    """How many questions were found only after we had been away."""
    return int(str(_rows(data, "SELECT count(*) FROM turns WHERE is_late")[0][0]))


def stories(data: Path, numbers: set[int]) -> list[str]:
    """What the ledger says about questions."""
    rows = _rows(data, "SELECT question, event_id, state, reason, outcome, attempts, thread FROM turns")
    return [str(row) for row in rows if numbers_in(str(row[0])) & numbers]


async def settle(owed: set[int], found: Callable[[], Counter[int]], data: Path, *, seconds: float) -> None:
    """Wait until nothing is owed any more, or nothing has moved for so long that it never will."""
    left: tuple[int, int] | None = None
    moved = time.monotonic()
    while time.monotonic() < moved + seconds:
        before, left = left, (len(owed - set(found())), open_turns(data))
        if left == (0, 0):
            return
        if left != before:
            moved = time.monotonic()
        # The ledger belongs to another process: there is nothing to be told by.
        await asyncio.sleep(1)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How often each question that is owed an answer got one."""

    owed: set[int]
    found: Counter[int]
    complaints: list[str]

    @property
    def lost(self) -> list[int]:
        return sorted(self.owed - set(self.found))

    @property
    def twice(self) -> list[int]:
        return sorted(number for number, count in self.found.items() if count > 1)

    def report(self, counted: Mapping[str, object], data: Path) -> int:
        """Write everything down; 0 if each was answered exactly once and nothing was complained about."""
        once = len(self.owed - set(self.lost) - set(self.twice))
        rows = {**counted, "complaints": len(self.complaints), "answered exactly once": once}
        rows |= {"answered twice": len(self.twice), "lost": len(self.lost)}
        width = max(map(len, rows))
        sys.stdout.write("\n".join(f"{name:<{width}}  {value}" for name, value in rows.items()) + "\n")
        if not (self.lost or self.twice or self.complaints):
            return 0
        told = stories(data, {*self.lost, *self.twice})
        (data / WRONG).write_text("\n".join([str(self.lost), str(self.twice), *self.complaints, *told]) + "\n")
        sys.stdout.write(f"see {data / WRONG}, and the ledger and the log beside it\n")
        return 1

"""Attacks as they are tried on chatbots, each with what a model that obeys would write."""

import csv
import re
from dataclasses import dataclass
from pathlib import Path

_ESCAPE = re.compile(r"\\(n|u[0-9a-f]{4}|U[0-9a-f]{8})")


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack: its words, what an obedient model makes of it, and what of that may not be shown."""

    id: str
    words: str
    obeyed: str
    harm: str


def read_attacks(kind: str) -> list[Attack]:
    """The attacks that come in one way: "book", "selected", "question", "turns" or "language"."""
    with Path(__file__).with_name("attacks.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        Attack(**{name: _ESCAPE.sub(_unescaped, cell) for name, cell in row.items()})
        for row in rows
        if row["id"].startswith(f"{kind}-")
    ]


def _unescaped(match: re.Match[str]) -> str:
    return "\n" if match[1] == "n" else chr(int(match[1][1:], 16))

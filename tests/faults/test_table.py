"""The table of faults in the documentation names tests that exist."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
TABLE = (TESTS.parent / "docs" / "reliability.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`([\w/]+\.py)::(\w+)`", TABLE)


def test_every_fault_is_shown_by_a_test_that_exists() -> None:
    missing = [
        f"{path}::{name}"
        for path, name in NAMED
        if not (TESTS / path).is_file() or f"def {name}(" not in (TESTS / path).read_text(encoding="utf-8")
    ]

    assert len(NAMED) >= 40
    assert missing == []

"""What `make audit` lets through and what it does not."""

from pathlib import Path
from typing import Any

import pytest

from benchmarks.advisories import found
from benchmarks.licences import PAGE, RUN_LOCK, is_permissive, pinned

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("licence", "is_fine"),
    [
        ("MIT License", True),
        ("Apache Software License; MIT License", True),
        ("BSD-3-Clause AND 0BSD AND MIT AND Zlib AND CC0-1.0", True),
        ("GPL-3.0-only OR MIT", True),
        ("GPL-3.0-only AND MIT", False),
        ("GNU Affero General Public License v3", False),
        ("Permitted for limited use", False),
        ("UNKNOWN", False),
    ],
)
def test_every_part_of_a_licence_must_be_permissive(licence: str, is_fine: bool) -> None:
    assert is_permissive(licence) is is_fine


def test_every_pinned_package_stands_on_the_page_of_licences() -> None:
    page = (ROOT / PAGE).read_text(encoding="utf-8")

    assert [name for name in pinned(ROOT / RUN_LOCK) if f"| {name} |" not in page] == []


def test_a_known_vulnerability_is_told_with_its_repair() -> None:
    packages: list[dict[str, Any]] = [
        {"name": "sound", "version": "1.0", "vulns": []},
        {"name": "hidden", "version": "1.0", "skip_reason": "not in the registry"},
        {"name": "leaky", "version": "2.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2.1", "3.0"]}]},
        {"name": "open", "version": "1.1", "vulns": [{"id": "PYSEC-2", "fix_versions": []}]},
    ]

    assert found(packages) == [
        "leaky 2.0: PYSEC-1, repaired in 2.1",
        "open 1.1: PYSEC-2, not repaired yet",
    ]

"""A running page with a small book, and what answers it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.adapters.web.site import Site, add_small_book, open_site
from tests.bot.scripted import ScriptedAgent

_LONG = " ".join(f"Rule {number}: a robot that is well built does one thing at a time." for number in range(25))
"""Enough words for a section to be a passage of its own."""

SMALL_BOOK = {
    "module-1-ros2/chapter-1-first-steps/01-nodes.md": (
        "---\ntitle: Nodes\n---\n\n# Nodes\n\nA node is a process that computes. Nodes talk over topics.\n\n"
        f"{_LONG}\n\n"
        "## What is a topic?\n\nA topic is a named channel. **Every subscriber** of a topic gets each message.\n\n"
        f"- publishers send\n- subscribers receive\n\n{_LONG}\n\n## Names\n\n{_LONG}\n"
    ),
    "module-1-ros2/chapter-1-first-steps/02-services.md": (
        "---\ntitle: Services\n---\n\n# Services\n\nA service answers one request with one response.\n\n"
        "## Timeouts\n\nA caller that waits too long should give up and tell its user.\n"
    ),
    "module-2-perception/chapter-2-sensing/01-cameras.md": (
        "---\ntitle: Cameras\n---\n\n# Cameras\n\nA camera measures light. <script>alert('book')</script>\n\n"
        "## Calibration\n\nCalibration finds the focal length and the distortion of a lens.\n"
    ),
}


@pytest.fixture
def book_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "book"
    for name, text in SMALL_BOOK.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def agent() -> ScriptedAgent:
    return ScriptedAgent()


@pytest.fixture
async def site(tmp_path: Path, agent: ScriptedAgent, book_folder: Path) -> AsyncIterator[Site]:
    async with open_site(tmp_path / "data", agent) as opened:
        await add_small_book(opened.parts.library, book_folder)
        yield opened

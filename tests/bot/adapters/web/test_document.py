"""The API does what its own OpenAPI document says, tried with what a tester would not think of."""

import asyncio
import sys
from pathlib import Path

import pytest

from bot.limits import Allowance
from tests.bot.adapters.web.site import add_small_book, open_site
from tests.bot.scripted import ScriptedAgent

pytestmark = pytest.mark.long

TRY_SECONDS = 900


async def test_the_api_is_as_its_document_says(tmp_path: Path, book_folder: Path) -> None:
    no_limit = Allowance(member_per_minute=0, group_per_minute=0)
    async with open_site(tmp_path / "data", ScriptedAgent(), allowance=no_limit) as site:
        await add_small_book(site.parts.library, book_folder)
        trying = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "schemathesis.cli", "--config-file", str(Path(__file__).with_name("schemathesis.toml"))),
            *("run", f"{site.url}/openapi.json", "--no-color", "--warnings", "off"),
            # The first never ends; the second takes away what the others need.
            *("--exclude-path", "/api/events", "--exclude-operation-id", "remove_book_api_books__book_id__delete"),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            cwd=tmp_path,
        )
        try:
            told, _ = await asyncio.wait_for(trying.communicate(), TRY_SECONDS)
        finally:
            if trying.returncode is None:
                trying.kill()
                await trying.wait()

    assert trying.returncode == 0, told.decode()[-6000:]

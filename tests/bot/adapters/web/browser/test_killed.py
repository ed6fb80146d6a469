"""Killed in the middle of an answer and started again: the page shows one whole answer."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.bot.adapters.web.browser.conftest import open_page
from tests.bot.adapters.web.browser.test_moves import ask
from tests.bot.adapters.web.telling import SENTENCE

pytestmark = [pytest.mark.long, pytest.mark.asyncio(loop_scope="package")]

START_SECONDS = 60
ROOT = Path(__file__).parents[5]


@asynccontextmanager
async def _running(data_dir: Path, port: int, book_folder: Path, *how: str) -> AsyncIterator[str]:
    """A process that serves the page; it is killed, never stopped, when the block ends."""
    process = await asyncio.create_subprocess_exec(
        *(
            sys.executable,
            "-m",
            "tests.bot.adapters.web.killable",
            str(data_dir),
            str(port),
            str(book_folder),
            *how,
        ),
        stdout=asyncio.subprocess.PIPE,
        cwd=ROOT,
    )
    assert process.stdout is not None
    try:
        yield (await asyncio.wait_for(process.stdout.readline(), START_SECONDS)).decode().strip()
    finally:
        process.kill()
        await process.communicate()


async def test_killed_while_an_answer_streams_the_page_shows_it_whole_and_once(
    browser: Browser, tmp_path: Path, book_folder: Path
) -> None:
    context = await browser.new_context()
    page = await context.new_page()
    async with _running(tmp_path / "data", 0, book_folder, "stops-halfway") as url:
        await open_page(page, url)
        await ask(page, "What is a topic?")
        await expect(page.locator("[data-waiting] .prose")).to_contain_text(SENTENCE[: len(SENTENCE) // 2])
    await expect(page.locator("#connection")).not_to_be_empty()

    async with _running(tmp_path / "data", int(url.rpartition(":")[2]), book_folder):
        await expect(page.locator("#thread-posts .post.answer")).to_have_count(1, timeout=30_000)
        await expect(page.locator("#thread-posts .post.answer .prose")).to_have_text(f"{SENTENCE} 1")
        await expect(page.locator("#thread-posts .post")).to_have_count(2)
        await page.reload()
        await expect(page.locator("#thread-posts .post.answer")).to_have_count(1)
    await context.close()

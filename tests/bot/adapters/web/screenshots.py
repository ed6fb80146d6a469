"""Takes the pictures of the page for the documentation: the real bot with the sample book, in a real browser.

Run it with `make screenshots`, on a machine that has a font with emoji (on Debian fonts-noto-color-emoji).
"""

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.async_api import Browser, Page, async_playwright

from tests.bot.adapters.web.browser.conftest import open_page, some_chromium
from tests.bot.adapters.web.browser.test_moves import ask
from tests.browsers import FLAGS

ROOT = Path(__file__).parents[4]
PICTURES = ROOT / "docs" / "pictures"
WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 780}
START_SECONDS = 180
FIRST = "How do nodes find each other?"
SECOND = "Which QoS durability lets a late subscriber get the last message?"
NOT_IN_THE_BOOK = "Who won the football world cup in 1998?"


async def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as data_dir:
        async with _running_bot(Path(data_dir)) as url, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=some_chromium(), args=list(FLAGS))
            await _wide(browser, url)
            await _dark(browser, url)
            await _phone(browser, url)
            await _library(browser, url)
            await browser.close()


@asynccontextmanager
async def _running_bot(data_dir: Path) -> AsyncIterator[str]:
    """`footnote run` without a key, with the sample book read."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "run"),
        env={**kept, "FOOTNOTE_DATA_DIR": str(data_dir), "FOOTNOTE_PORT": str(port), "FOOTNOTE_OPEN_BROWSER": "0"},
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(START_SECONDS):
            while b"the models are loaded" not in await process.stdout.readline():
                pass
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        await process.communicate()


async def _open(browser: Browser, url: str, **how: object) -> Page:
    context = await browser.new_context(**{"viewport": WIDE, "device_scale_factor": 1.5, **how})  # type: ignore[arg-type]
    await context.add_init_script("localStorage.setItem('footnote.name', 'Ada')")
    return await open_page(await context.new_page(), url)


async def _take(page: Page, name: str) -> None:
    await page.evaluate("document.activeElement.blur()")
    await page.mouse.move(0, 0)
    await page.screenshot(path=PICTURES / f"web-{name}.png", animations="disabled")


async def _wide(browser: Browser, url: str) -> None:
    page = await _open(browser, url)
    await page.wait_for_selector(".starter")
    await _take(page, "welcome")
    await ask(page, FIRST)
    await page.wait_for_selector("#thread-posts .post.answer")
    await ask(page, NOT_IN_THE_BOOK, where="thread")
    await page.wait_for_selector("#thread-posts .post.refusal")
    await _take(page, "thread")
    await page.goto(f"{url}/#/channel")
    await ask(page, SECOND)
    await page.wait_for_selector("#thread-posts .post.answer")
    await page.click("#thread-posts .mark")
    await page.wait_for_selector("#side mark")
    await _take(page, "passage")
    await page.goto(f"{url}/#/channel?search=calibrate+a+camera&chapter_min=5&limit=5")
    await page.wait_for_selector(".hit")
    await _take(page, "search")


async def _dark(browser: Browser, url: str) -> None:
    page = await _open(browser, url, color_scheme="dark")
    await page.click(".glance")
    await page.click("#thread-posts .mark")
    await page.wait_for_selector("#side mark")
    await _take(page, "dark")


async def _phone(browser: Browser, url: str) -> None:
    page = await _open(browser, url, viewport=PHONE, is_mobile=True, has_touch=True)
    await page.tap(".glance >> nth=0")
    await page.wait_for_selector("#thread-posts .post.answer")
    await page.evaluate("document.querySelector('#thread-scroll').scrollTop = 0")
    await _take(page, "phone")


async def _library(browser: Browser, url: str) -> None:
    page = await _open(browser, url)
    await page.goto(f"{url}/#/library/physical-ai")
    await page.wait_for_selector(".outline li")
    await _take(page, "outline")
    await page.goto(f"{url}/#/library")
    await page.set_input_files("#book-files", sorted(ROOT.glob("docs/*.md")))
    await page.fill("input[name=title]", "The Footnote handbook")
    await page.click("text=Add this book")
    await page.wait_for_selector(".job[data-status=running] progress[value]:not([value='0'])")
    await _take(page, "library")


if __name__ == "__main__":
    asyncio.run(main())

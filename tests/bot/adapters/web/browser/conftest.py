"""A real headless Chromium, one for all tests in this folder, and a fresh page with a small book for each."""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, ConsoleMessage, Page, async_playwright, expect

from tests.bot.adapters.web.site import Site, add_small_book, open_site
from tests.bot.adapters.web.telling import TellingAgent
from tests.browsers import FLAGS, find_chromium

PATIENCE_MS = 60_000
LEFT_OUT = (
    "the browser tests were left out; install Chromium (Debian: apt install chromium-headless-shell)"
    " or set FOOTNOTE_CHROMIUM"
)


def some_chromium() -> str:
    """The path of an installed Chromium. Without one the tests are left out, but never under CI."""
    found = find_chromium()
    if found is None and os.environ.get("CI"):
        pytest.fail(f"CI must not leave them out: {LEFT_OUT}")
    if found is None:
        pytest.skip(LEFT_OUT)
    return found


@pytest_asyncio.fixture(scope="package", loop_scope="package")
async def browser() -> AsyncIterator[Browser]:
    path = some_chromium()
    expect.set_options(timeout=PATIENCE_MS)
    async with async_playwright() as playwright:
        opened = await playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield opened
        await opened.close()


@pytest.fixture
def telling() -> TellingAgent:
    return TellingAgent()


@pytest_asyncio.fixture(loop_scope="package")
async def shown(tmp_path: Path, telling: TellingAgent, book_folder: Path) -> AsyncIterator[Site]:
    """A running page whose agent cites the small book."""
    async with open_site(tmp_path / "data", telling) as site:
        await add_small_book(site.parts.library, book_folder)
        await learn(telling, site)
        yield site


async def learn(agent: TellingAgent, site: Site) -> None:
    """Let the agent cite what is in the library."""
    async for chunks in site.parts.library.all_chunks("robots"):
        agent.chunks |= {chunk.id: chunk for chunk in chunks}


@pytest_asyncio.fixture(loop_scope="package")
async def page(browser: Browser, shown: Site) -> AsyncIterator[Page]:
    """The page, open and ready. A script error or a refused script fails the test."""
    context = await browser.new_context(viewport={"width": 1280, "height": 800})
    opened = await open_page(await context.new_page(), shown.url)
    yield opened
    await context.close()
    assert opened.troubles == []  # type: ignore[attr-defined]


async def open_page(page: Page, url: str) -> Page:
    """Open *url* and wait until the page can be used; what goes wrong in it is kept as `troubles`."""
    troubles: list[str] = []
    page.set_default_timeout(PATIENCE_MS)

    def note(message: ConsoleMessage) -> None:
        # A page that loses its server says so in the console; that is what some tests are about.
        if message.type == "error" and "net::ERR" not in message.text and "Failed to load" not in message.text:
            troubles.append(message.text)

    page.on("console", note)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.troubles = troubles  # type: ignore[attr-defined]
    await page.goto(url)
    await page.wait_for_selector("body[data-ready]")
    return page

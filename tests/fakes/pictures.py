"""Pictures for the guides: the real bot on a local platform, and what its members see."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from tests.browsers import FLAGS, find_chromium

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
WAIT = 600.0


@asynccontextmanager
async def bot_on(
    platform: Mapping[str, str], connected: Awaitable[object], *, data: Path, port: int
) -> AsyncIterator[None]:
    """`footnote run` with the settings of a local *platform*, as soon as it has *connected*."""
    environment = {
        **os.environ,
        "FOOTNOTE_DATA_DIR": str(data),
        "FOOTNOTE_PORT": str(port),
        "FOOTNOTE_OPEN_BROWSER": "0",
        "FOOTNOTE_PUBLIC_URL": f"http://localhost:{port}",
        **platform,
    }
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "bot", "run", env=environment)
    try:
        await connected
        yield
    finally:
        process.terminate()
        await process.wait()


class Artist:
    """Draws pages into the folder of the guides' pictures."""

    def __init__(self, browser: Browser, platform: str, *, width: int) -> None:
        self._browser = browser
        self._platform = platform
        self._width = width

    async def draw(self, name: str, shown: str, *, width: int | None = None) -> None:
        size = {"width": width or self._width, "height": 200}
        tab = await self._browser.new_page(viewport=size, device_scale_factor=1.5)  # type: ignore[arg-type]
        await tab.set_content(shown)
        await tab.screenshot(path=FOLDER / f"{self._platform}-{name}.png", full_page=True)
        await tab.close()


@asynccontextmanager
async def open_artist(platform: str, *, width: int) -> AsyncIterator[Artist]:
    FOLDER.mkdir(parents=True, exist_ok=True)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
        yield Artist(browser, platform, width=width)
        await browser.close()

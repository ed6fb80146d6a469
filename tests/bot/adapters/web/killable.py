"""The page as a process of its own, so that a test can kill it: DATA_DIR PORT BOOK_FOLDER [stops-halfway]."""

import asyncio
import sys
from pathlib import Path

from tests.bot.adapters.web.browser.conftest import learn
from tests.bot.adapters.web.site import add_small_book, open_site
from tests.bot.adapters.web.telling import TellingAgent

STEPS_TO_HALF_AN_ANSWER = 2
MANY_STEPS = 100


async def main(data_dir: str, port: str, book_folder: str, *how: str) -> None:
    agent = TellingAgent(is_stepped=True)
    async with open_site(Path(data_dir), agent, port=int(port)) as site:
        await add_small_book(site.parts.library, Path(book_folder))
        await learn(agent, site)
        agent.go_on(STEPS_TO_HALF_AN_ANSWER if how else MANY_STEPS)
        sys.stdout.write(f"{site.url}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

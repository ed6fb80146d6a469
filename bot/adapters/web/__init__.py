"""The study-group channel in a browser, and the HTTP API."""

import asyncio
from typing import TYPE_CHECKING

from bot import wording
from bot.adapters.web.access import Access
from bot.adapters.web.app import make_app
from bot.adapters.web.asking import Asking
from bot.adapters.web.hub import Hub
from bot.adapters.web.job_watch import JobWatch
from bot.adapters.web.metrics import Metrics
from bot.adapters.web.parts import Parts
from bot.adapters.web.posts import Posts
from bot.adapters.web.serving import open_socket, serve
from bot.adapters.web.surface import surfaces
from bot.desk import Desk
from bot.turns import Turns
from bot.wishes import Wishes
from core.settings import Settings
from core.store.database import Database
from core.store.jobs import Jobs
from core.store.library import Library
from core.store.sessions import Sessions
from core.store.tallies import Tallies

if TYPE_CHECKING:
    from core.wiring import Core

__all__ = ["make_parts", "run_web"]


def make_parts(
    settings: Settings,
    turns: Turns,
    desk: Desk,
    *,
    database: Database,
    library: Library,
    sessions: Sessions,
    jobs: Jobs,
) -> Parts:
    """Everything behind the routes, put together; replies to the page find their place from now on."""
    posts, hub = Posts(database), Hub()
    turns.register("web", surfaces(posts, hub))
    return Parts(
        settings=settings,
        access=Access(settings.web_token),
        turns=turns,
        desk=desk,
        library=library,
        sessions=sessions,
        jobs=jobs,
        places=desk.places,
        posts=posts,
        hub=hub,
        asking=Asking(turns=turns, posts=posts, hub=hub, sessions=sessions),
        wishes=Wishes(desk=desk, turns=turns, help_text=wording.PAGE_HELLO, hello=wording.PAGE_HELLO),
        metrics=Metrics(tallies=Tallies(database), jobs=jobs, turns=turns, hub=hub),
    )


async def run_web(settings: Settings, core: "Core", turns: Turns, desk: Desk, stop: asyncio.Event) -> None:
    """Serve the page and the API until *stop* is set. What was asked before the last stop is answered first.

    Raises:
        SettingsError: the address cannot be listened on.
    """
    listening = open_socket(settings.host, settings.port)
    parts = make_parts(
        settings,
        turns,
        desk,
        database=core.database,
        library=core.library,
        sessions=core.sessions,
        jobs=core.jobs,
    )
    await turns.resume("web")
    watching = asyncio.create_task(JobWatch(jobs=core.jobs, hub=parts.hub).run())
    try:
        await serve(make_app(parts), listening, hub=parts.hub, stop=stop)
    finally:
        watching.cancel()
        listening.close()

"""What the routes work with, put together once and handed to each request."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from bot.adapters.web.access import Access
from bot.adapters.web.asking import Asking
from bot.adapters.web.hub import Hub
from bot.adapters.web.metrics import Metrics
from bot.adapters.web.posts import Posts
from bot.desk import Desk
from bot.turns import Turns
from bot.wishes import Wishes
from core.settings import Settings
from core.store.jobs import Jobs
from core.store.library import Library
from core.store.places import Places
from core.store.sessions import Sessions


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything behind the page and the API."""

    settings: Settings
    access: Access
    turns: Turns
    desk: Desk
    library: Library
    sessions: Sessions
    jobs: Jobs
    places: Places
    posts: Posts
    hub: Hub
    asking: Asking
    wishes: Wishes
    metrics: Metrics


def _parts_of(request: Request) -> Parts:
    parts: Parts = request.app.state.parts
    return parts


PartsOf = Annotated[Parts, Depends(_parts_of)]

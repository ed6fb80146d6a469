"""The page and the HTTP API as one ASGI application."""

from fastapi import FastAPI
from starlette.types import ASGIApp

from bot.adapters.web.counting import Counting
from bot.adapters.web.guard import Guard
from bot.adapters.web.parts import Parts
from bot.adapters.web.problems import add_handlers
from bot.adapters.web.routes import books, channel, chat, events, health, jobs, pages, reading, search, sessions

_ABOUT = (
    "Ask a study group's books and get answers with footnotes. Where FOOTNOTE_WEB_TOKEN is set, send it as "
    "`Authorization: Bearer …`."
)


def make_api(parts: Parts) -> FastAPI:
    """The routes alone, with the OpenAPI document at /openapi.json."""
    # The interactive documentation pages of the framework load their code from elsewhere; ours never does.
    api = FastAPI(title="Footnote", version="1", description=_ABOUT, docs_url=None, redoc_url=None)
    api.state.parts = parts
    add_handlers(api)
    for each in (chat, search, sessions, books, jobs, channel, events, health, pages, reading):
        # They stand as they are: to include a router would make each of its routes anew at the first request.
        api.router.routes.extend(each.router.routes)
    return api


def make_app(parts: Parts) -> ASGIApp:
    """Everything a server needs: the routes behind the guard."""
    return Guard(Counting(make_api(parts), metrics=parts.metrics), access=parts.access)
